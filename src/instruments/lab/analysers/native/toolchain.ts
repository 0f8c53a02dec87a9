import { attempt, makeReader, type Reader } from '../reader.ts';
import type { Gathering } from './gathering.ts';
import { tidy } from './wording.ts';

/** What Go and Rust leave in every executable of theirs, whatever its format. */

const goMagic = Buffer.from('\xff Go buildinf:', 'latin1');
const mostModules = 300;

/** `addressToOffset` is needed for files of Go before 1.18, which hold pointers to the texts. */
export function describeToolchain(
  gathering: Gathering,
  reader: Reader,
  addressToOffset: (address: number) => number,
): void {
  const { bytes } = reader;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const go = attempt(() => readGo(file, reader, addressToOffset));
  if (go !== undefined) {
    gathering.facts.go = describeGo(go);
    gathering.text('Go build information', `${go.version}\n${go.modules}`);
  }
  const rust = /^\/rustc\/([0-9a-f]{40})\//.exec(around(file, '/rustc/'))?.[1];
  if (rust !== undefined) gathering.facts.rust = { compiler_commit: rust };
}

const around = (file: Buffer, mark: string): string => {
  const at = file.indexOf(mark, 0, 'latin1');
  return at === -1 ? '' : file.subarray(at, at + 64).toString('latin1');
};

interface GoBuild {
  readonly version: string;
  readonly modules: string;
}

function readGo(file: Buffer, reader: Reader, addressToOffset: (address: number) => number): GoBuild | undefined {
  // The compiler aligns it; the same bytes elsewhere are a program that looks for them.
  let at = file.indexOf(goMagic);
  for (let tries = 0; at !== -1 && at % 16 !== 0 && tries < 64; tries += 1) at = file.indexOf(goMagic, at + 1);
  if (at === -1 || at % 16 !== 0) return undefined;
  const flags = reader.u8(at + 15);
  if ((flags & 2) !== 0) {
    const [version, next] = inlineText(reader, at + 32);
    return { version, modules: unwrap(inlineText(reader, next)[0]) };
  }
  const wide = reader.u8(at + 14) === 8;
  const pointed = makeReader(reader.bytes, (flags & 1) !== 0 ? 'big' : 'little');
  const number = (where: number): number => (wide ? pointed.size64(where) : pointed.u32(where));
  const text = (pointer: number): string => {
    const header = addressToOffset(pointer);
    return reader.latin1(addressToOffset(number(header)), Math.min(number(header + (wide ? 8 : 4)), 1_000_000));
  };
  return { version: text(number(at + 16)), modules: unwrap(attempt(() => text(number(at + (wide ? 24 : 20)))) ?? '') };
}

function inlineText(reader: Reader, from: number): readonly [string, number] {
  let length = 0;
  let at = from;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = reader.u8(at);
    at += 1;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  return [Buffer.from(reader.slice(at, length)).toString('utf8'), at + length];
}

/** The list of modules stands between two marks of sixteen bytes. */
const unwrap = (text: string): string => {
  const start = text.indexOf('path\t');
  const end = text.lastIndexOf('\n');
  return start === -1 ? '' : text.slice(start, end > start ? end : undefined);
};

function describeGo({ version, modules }: GoBuild) {
  const lines = modules.split('\n').map((line) => line.split('\t'));
  const first = (key: string): string | null => tidy(lines.find(([name]) => name === key)?.[1] ?? '', 256) || null;
  const dependencies = lines.filter(([name]) => name === 'dep');
  return {
    version: tidy(version, 64),
    path: first('path'),
    module: first('mod'),
    dependency_count: dependencies.length,
    dependencies: dependencies
      .slice(0, mostModules)
      .map(([, name = '', number = '']) => tidy(`${name}@${number}`, 256)),
    settings: lines.flatMap(([name, value]) => (name === 'build' ? [tidy(value ?? '', 256)] : [])).slice(0, 50),
  };
}
