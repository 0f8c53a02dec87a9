import type { CapabilityId } from './contract.ts';
import type { CodeProgram } from './program.ts';
import { addTo, type CallRef, type Ref, type Routine, type Site } from './ref.ts';
import { type Meaning, moduleName, Resolver } from './resolve.ts';
import { type CapabilityTable, dotted } from './table.ts';

/** One place that reaches something. */
export interface Use {
  readonly capability: CapabilityId;
  readonly destroys: boolean;
  readonly via: string;
  readonly module: string;
  readonly line: number;
  readonly site: Site;
  readonly routine: Routine;
}

export interface Analysis {
  readonly resolver: Resolver;
  readonly table: CapabilityTable;
  readonly program: CodeProgram;
  readonly uses: ReadonlyMap<Routine, readonly Use[]>;
  /** The own functions that a routine calls. */
  readonly targets: ReadonlyMap<Routine, readonly Routine[]>;
  /** The texts that a branch is taken for. */
  readonly branches: ReadonlyMap<Routine, readonly string[]>;
}

const writing = /[wax+]/;
/** Evaluated by every bundle to find the global object, and by nothing else. */
const harmlessCode = /^return this$/;

export function analyse(program: CodeProgram, table: CapabilityTable): Analysis {
  const resolver = new Resolver(program);
  const routines = [...program.files.values()].flatMap((file) => file.routines);
  const targets = new Map<Routine, Routine[]>();
  for (const routine of routines) targets.set(routine, link(routine, resolver));
  const uses = new Map<Routine, Use[]>();
  for (const routine of routines)
    uses.set(
      routine,
      routine.sites.flatMap((site) => usesOf(site, routine, resolver, table)),
    );
  for (const file of program.files.values()) {
    const used = new Set(file.routines.flatMap((routine) => (uses.get(routine) ?? []).map(({ module }) => module)));
    uses.get(file.top)?.push(...importUses(file.top, used, table));
  }
  const branches = new Map<Routine, readonly string[]>();
  for (const routine of routines)
    if (routine.branchOf !== undefined) branches.set(routine, textsOf(routine.branchOf, resolver));
  return { resolver, table, program, uses, targets, branches };
}

function textsOf(refs: readonly Ref[], resolver: Resolver): readonly string[] {
  return refs.flatMap((ref) => {
    const meaning = resolver.resolve(ref);
    return meaning?.kind === 'text' ? [meaning.text] : [];
  });
}

/** Finds the own functions that are called, and tells their parameters what they are called with. */
function link(routine: Routine, resolver: Resolver): Routine[] {
  const called = new Set<Routine>();
  for (const { ref, kind } of routine.sites) {
    if (kind !== 'call' || ref.kind !== 'call') continue;
    const of = resolver.resolve(ref.of);
    for (const target of routinesOf(of)) {
      called.add(target);
      for (const [index, name] of target.parameters.entries()) {
        const argument = ref.args[index] ?? ref.named.get(name);
        const binding = name === '' ? undefined : target.scope.own(name);
        if (argument !== undefined && binding !== undefined) addTo(binding.definitions, argument);
      }
    }
    // A function that is handed over is taken to be called.
    for (const argument of ref.args) {
      const given = argument.kind === 'name' || argument.kind === 'member' ? resolver.resolve(argument) : undefined;
      if (given?.kind === 'routine') called.add(given.routine);
    }
  }
  return [...called];
}

function routinesOf(of: Meaning | undefined): readonly Routine[] {
  if (of?.kind === 'routine') return [of.routine];
  const maker =
    of?.kind === 'class' ? (of.shape.methods.get('constructor') ?? of.shape.methods.get('__init__')) : undefined;
  return maker === undefined ? [] : [maker];
}

function usesOf(site: Site, routine: Routine, resolver: Resolver, table: CapabilityTable): readonly Use[] {
  const { ref } = site;
  const { language } = routine.file;
  const make = (meaning: Meaning | undefined, call: CallRef | undefined): readonly Use[] => {
    if (meaning?.kind !== 'external') return [];
    const reached = table.byName(language, meaning.module, meaning.path);
    if (reached === undefined) return [];
    const via = dotted(meaning.module, meaning.path);
    const capability = call === undefined ? reached.capability : adjusted(reached.capability, via, call, resolver);
    if (capability === undefined) return [];
    return [{ ...reached, capability, via, module: meaning.module, line: site.line, site, routine }];
  };
  if (site.kind === 'read')
    return make(resolver.resolve(ref), undefined).filter(({ capability }) => capability === 'environment');
  if (ref.kind !== 'call' || site.kind !== 'call') return [];
  const handed = ref.args.flatMap((argument) => {
    if (argument.kind !== 'name' && argument.kind !== 'member') return [];
    const meaning = resolver.resolve(argument);
    return meaning?.kind === 'external' && meaning.path.length > 0 ? make(meaning, undefined) : [];
  });
  const of = resolver.resolve(ref.of);
  // What a call gave back is another function than the one that was called.
  const direct = ref.of.kind === 'call' ? [] : make(of, ref);
  const isKnown = of !== undefined && !(of.kind === 'external' && of.module === 'global');
  if (direct.length > 0 || isKnown)
    return [...direct, ...handed.filter(({ capability }) => capability !== 'environment')];
  const name = ref.of.kind === 'member' ? ref.of.name : '';
  const method = table.byMethod(language, name);
  if (method === undefined) return handed;
  return [{ ...method, via: `?.${name}`, module: '?', line: site.line, site, routine }, ...handed];
}

/** The same function may read or write, or do nothing of note, by what it is given. */
function adjusted(capability: CapabilityId, via: string, call: CallRef, resolver: Resolver): CapabilityId | undefined {
  const text = (ref: Ref | undefined): string | undefined => {
    const meaning = ref === undefined ? undefined : resolver.resolve(ref);
    return meaning?.kind === 'text' ? meaning.text : undefined;
  };
  if (capability === 'file-read' && /(?:^|\.)open(?:Sync)?$/.test(via)) {
    const isMethod = /Path\.open$/.test(via);
    const mode = text(call.named.get('mode') ?? call.named.get('flags') ?? call.args[isMethod ? 0 : 1]);
    return mode !== undefined && writing.test(mode) ? 'file-write' : 'file-read';
  }
  if (capability === 'eval' && /^global\.Function$/.test(via))
    return harmlessCode.test(text(call.args.at(-1)) ?? '') ? undefined : 'eval';
  if (capability === 'dynamic-import' && call.args[0]?.kind === 'text' && !call.args[0].text.startsWith('data:'))
    return undefined;
  return capability;
}

/** A module that is taken in and whose use is not seen still tells what the file can reach. */
function importUses(top: Routine, used: ReadonlySet<string>, table: CapabilityTable): readonly Use[] {
  const seen = new Set(used);
  const found: Use[] = [];
  for (const { request, line } of top.file.imports) {
    const module = moduleName(request);
    const isNative = top.file.language === 'javascript' && request.endsWith('.node');
    const capability = isNative ? 'native' : table.byImport(module);
    if (capability === undefined || seen.has(module)) continue;
    seen.add(module);
    const site: Site = { ref: { kind: 'module', request, file: top.file }, line, kind: 'import' };
    found.push({ capability, destroys: false, via: `${module} (import)`, module, line, site, routine: top });
  }
  return found;
}
