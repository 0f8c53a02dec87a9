import type { Gathering } from '../native/gathering.ts';
import { flagNames, hex, tidy } from '../native/wording.ts';
import { attempt, makeReader, type Reader } from '../reader.ts';
import type { PeResource } from './resources.ts';

const mostStrings = 200;
const fileTypes: Readonly<Record<number, string>> = {
  1: 'application',
  2: 'dll',
  3: 'driver',
  4: 'font',
  5: 'vxd',
  7: 'static library',
};
const fileFlags: Readonly<Record<number, string>> = {
  1: 'debug',
  2: 'prerelease',
  4: 'patched',
  8: 'private_build',
  16: 'info_inferred',
  32: 'special_build',
};

interface Block {
  readonly key: string;
  readonly valueAt: number;
  readonly valueLength: number;
  readonly childrenAt: number;
  readonly end: number;
}

const align = (at: number): number => (at + 3) & ~3;

function readBlock(reader: Reader, at: number, limit: number): Block | undefined {
  const length = attempt(() => reader.u16(at)) ?? 0;
  if (length < 6) return undefined;
  const end = Math.min(at + length, limit);
  const valueLength = reader.u16(at + 2);
  const isText = reader.u16(at + 4) === 1;
  let stop = at + 6;
  while (stop + 2 <= end && reader.u16(stop) !== 0) stop += 2;
  const key = reader.utf16(at + 6, Math.min((stop - at - 6) / 2, 128));
  const valueAt = align(stop + 2);
  const bytes = isText ? valueLength * 2 : valueLength;
  return { key, valueAt, valueLength: bytes, childrenAt: align(valueAt + bytes), end };
}

function* blocksIn(reader: Reader, from: number, end: number): Generator<Block> {
  let at = from;
  for (let count = 0; count < mostStrings && at + 6 <= end; count += 1) {
    const block = readBlock(reader, at, end);
    if (block === undefined) return;
    yield block;
    at = align(block.end);
  }
}

/** What the file says about who made it: claims, which nobody checks. */
export function describeVersionInfo(resources: readonly PeResource[], { facts, text }: Gathering): void {
  const resource = resources.find(({ type }) => type === 'version');
  if (resource === undefined) return;
  const reader = makeReader(resource.bytes);
  const root = readBlock(reader, 0, reader.length);
  if (root === undefined) return;
  const strings: Record<string, string> = {};
  for (const child of blocksIn(reader, root.childrenAt, root.end)) {
    if (child.key !== 'StringFileInfo') continue;
    for (const table of blocksIn(reader, child.valueAt, child.end))
      for (const entry of blocksIn(reader, table.valueAt, table.end)) {
        if (Object.keys(strings).length >= mostStrings) break;
        const stored = Buffer.from(reader.cut(entry.valueAt, Math.max(0, entry.end - entry.valueAt))).toString(
          'utf16le',
        );
        strings[tidy(entry.key, 64)] = tidy(stored.split('\0', 1)[0] ?? '', 512);
      }
  }
  facts.version_info = strings;
  const fixed =
    root.valueLength >= 52 && root.valueAt + 52 <= reader.length ? fixedInfo(reader, root.valueAt) : undefined;
  if (fixed !== undefined) facts.fixed_file_info = fixed;
  text(
    'version information',
    Object.entries(strings)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n'),
  );
}

function fixedInfo(reader: Reader, at: number) {
  if (reader.u32(at) !== 0xfeef04bd) return undefined;
  const version = (high: number): string =>
    [reader.u16(high + 2), reader.u16(high), reader.u16(high + 6), reader.u16(high + 4)].join('.');
  const type = reader.u32(at + 36);
  return {
    file_version: version(at + 8),
    product_version: version(at + 16),
    flags: flagNames((reader.u32(at + 28) & reader.u32(at + 24)) >>> 0, fileFlags),
    file_type: fileTypes[type] ?? hex(type),
  };
}

/** The manifest: XML that asks for rights. Read by pattern, since it is only two attributes. */
export function describeManifest(resources: readonly PeResource[], gathering: Gathering): void {
  const resource = resources.find(({ type }) => type === 'manifest');
  if (resource === undefined) return;
  const head = Buffer.from(resource.bytes.subarray(0, 65_536));
  const xml =
    head[0] === 0xff && head[1] === 0xfe ? head.toString('utf16le', 0, head.length & ~1) : head.toString('utf8');
  const attribute = (name: string): string | null =>
    new RegExp(`\\b${name}\\s{0,8}=\\s{0,8}["']([A-Za-z]{1,40})["']`).exec(xml)?.[1] ?? null;
  const level = attribute('level');
  gathering.facts.manifest = {
    requested_execution_level: level,
    ui_access: attribute('uiAccess') === 'true',
    auto_elevate: /<\w{0,20}:?autoElevate[^>]{0,200}>\s{0,20}true/.test(xml),
    size: resource.size,
  };
  gathering.text('manifest', xml);
  if (level !== 'requireAdministrator' && level !== 'highestAvailable') return;
  gathering.find({
    rule: 'pe.manifest.elevation',
    title: 'The manifest asks for administrator rights',
    severity: 'info',
    evidenceType: 'structural',
    evidence: [{ where: 'resource manifest', text: `requestedExecutionLevel ${level}` }],
    benign: 'Installers and system tools do this.',
    attack: ['T1548.002'],
  });
}
