import { createHash } from 'node:crypto';
import { contentHint } from '../../native/content-hint.ts';
import type { Gathering } from '../../native/gathering.ts';
import { flagNames, guidOf, hex, hexOf, tidy } from '../../native/wording.ts';
import { attempt, makeReader } from '../../reader.ts';
import type { Metadata } from './metadata.ts';

const runtimeFlags: Readonly<Record<number, string>> = {
  1: 'il_only',
  2: '32bit_required',
  4: 'il_library',
  8: 'strong_name_signed',
  16: 'native_entry_point',
  65536: 'track_debug_data',
  131072: '32bit_preferred',
};

const mostNames = 300;

/** Rows of a table, as far as they can be read and at most so many. */
export function* rowsOf(data: Metadata, table: string, cap: number, tick: () => void): Generator<readonly number[]> {
  for (let index = 1; index <= Math.min(data.rows(table), cap); index += 1) {
    if (index % 1024 === 1) tick();
    const row = attempt(() => data.row(table, index));
    if (row === undefined) return;
    yield row;
  }
}

const versionOf = (row: readonly number[], from: number): string => row.slice(from, from + 4).join('.');

export function describeAssembly(data: Metadata, { facts, input }: Gathering): void {
  const [assembly] = rowsOf(data, 'Assembly', 1, input.tick);
  const [module] = rowsOf(data, 'Module', 1, input.tick);
  const name = (index: number | undefined): string => tidy(data.text(index ?? 0), 256);
  Object.assign(facts, {
    clr_version: data.clrVersion,
    runtime_version: tidy(data.runtimeVersion, 64),
    flags: flagNames(data.flags, runtimeFlags),
    entry_point_token: hex(data.entryPointToken),
    streams: data.streams.map(({ name: stream, size }) => ({ name: tidy(stream, 32), size })),
    assembly: assembly === undefined ? null : assemblyFacts(data, assembly),
    module: module === undefined ? null : { name: name(module[1]), mvid: mvidOf(data, module[2]) },
    references: [...rowsOf(data, 'AssemblyRef', mostNames, input.tick)].map((row) => ({
      name: name(row[6]),
      version: versionOf(row, 0),
      public_key_token: tokenOf(
        attempt(() => data.blob(row[5] ?? 0)),
        ((row[4] ?? 0) & 1) === 1,
      ),
    })),
    entry_point: entryPoint(data),
  });
}

function assemblyFacts(data: Metadata, row: readonly number[]) {
  return {
    name: tidy(data.text(row[7] ?? 0), 256),
    version: versionOf(row, 1),
    culture: tidy(data.text(row[8] ?? 0), 64) || 'neutral',
    public_key_token: tokenOf(
      attempt(() => data.blob(row[6] ?? 0)),
      true,
    ),
  };
}

/** The last eight bytes of the hash of a key, turned round; references mostly hold that already. */
function tokenOf(blob: Uint8Array | undefined, wholeKey: boolean): string | null {
  if (blob === undefined || blob.length === 0) return null;
  return wholeKey ? hexOf(createHash('sha1').update(blob).digest().subarray(-8).reverse()) : hexOf(blob.subarray(0, 8));
}

const mvidOf = (data: Metadata, index: number | undefined): string | null => {
  const bytes = data.guid(index ?? 0);
  return bytes === undefined ? null : guidOf(bytes).toLowerCase();
};

/** The method that the entry point's token names. */
function entryPoint(data: Metadata): string | null {
  const token = data.entryPointToken;
  if (token >>> 24 !== 6 || (data.flags & 16) !== 0) return null;
  const row = attempt(() => data.row('MethodDef', token & 0xffffff));
  return row === undefined ? null : tidy(data.text(row[3] ?? 0), 256);
}

/** Functions outside of .NET that the code calls by name. */
export function describePlatformCalls(data: Metadata, { facts, input }: Gathering): string[] {
  const calls = new Map<string, string[]>();
  let count = 0;
  for (const [, , nameAt = 0, module = 0] of rowsOf(data, 'ImplMap', 5000, input.tick)) {
    const library = attempt(() => data.text(data.row('ModuleRef', module)[0] ?? 0)) ?? '';
    const list = calls.get(library) ?? [];
    list.push(data.text(nameAt));
    calls.set(library, list);
    count += 1;
  }
  facts.platform_call_count = count;
  facts.platform_calls = [...calls].slice(0, 100).map(([dll, functions]) => ({
    dll: tidy(dll, 200),
    functions: functions.slice(0, mostNames).map((name) => tidy(name, 200)),
  }));
  return [...calls.values()].flat();
}

export interface ManagedNames {
  readonly types: readonly string[];
  readonly methods: readonly string[];
  readonly references: readonly string[];
  readonly members: readonly string[];
}

const mostRead = 10_000;

export function readNames(data: Metadata, tick: () => void): ManagedNames {
  const full = (space: number | undefined, name: number | undefined): string => {
    const prefix = data.text(space ?? 0);
    return prefix === '' ? data.text(name ?? 0) : `${prefix}.${data.text(name ?? 0)}`;
  };
  const list = (table: string, read: (row: readonly number[]) => string): string[] =>
    [...rowsOf(data, table, mostRead, tick)].map(read);
  return {
    types: list('TypeDef', (row) => full(row[2], row[1])).filter((name) => name !== '<Module>'),
    methods: list('MethodDef', (row) => data.text(row[3] ?? 0)),
    references: list('TypeRef', (row) => full(row[2], row[1])),
    members: list('MemberRef', (row) => data.text(row[1] ?? 0)),
  };
}

export function describeNames(data: Metadata, names: ManagedNames, { facts }: Gathering): void {
  facts.type_count = Math.max(0, data.rows('TypeDef') - 1);
  facts.method_count = data.rows('MethodDef');
  facts.types = names.types.slice(0, mostNames).map((name) => tidy(name, 200));
  facts.methods = [...new Set(names.methods)].slice(0, mostNames).map((name) => tidy(name, 200));
  facts.type_references = names.references.slice(0, mostNames).map((name) => tidy(name, 200));
  facts.type_reference_hash =
    names.references.length === 0
      ? null
      : createHash('sha256').update(names.references.toSorted().join(',')).digest('hex');
}

const mostResources = 500;

export function describeManagedResources(data: Metadata, gathering: Gathering): void {
  const region = makeReader(data.resources);
  const list = [];
  for (const [offset = 0, flags = 0, nameAt = 0, where = 0] of rowsOf(
    data,
    'ManifestResource',
    mostResources,
    gathering.input.tick,
  )) {
    const name = data.text(nameAt);
    const size = where === 0 ? attempt(() => region.u32(offset)) : undefined;
    const bytes = size === undefined ? new Uint8Array() : region.cut(offset + 4, size);
    list.push({
      name: tidy(name, 200),
      size: size ?? null,
      public: (flags & 7) === 1,
      embedded: where === 0,
      content: contentHint(bytes),
    });
    if (bytes.length > 0 && bytes.length === size) gathering.child({ name, bytes, how: 'managed resource' });
  }
  gathering.facts.managed_resource_count = data.rows('ManifestResource');
  gathering.facts.managed_resources = list;
}
