/** Runs of characters of one alphabet: what encoded data looks like. */

export interface Run {
  readonly offset: number;
  /** How many bytes of the file it takes. */
  readonly length: number;
  readonly text: string;
}

export interface Alphabet {
  readonly id: string;
  readonly characters: string;
  /** Characters that may stand between others, and are left out. */
  readonly between: string;
  readonly least: number;
}

export const longestRun = 8 * 1024 * 1024;

function table(text: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const character of text) marks[character.charCodeAt(0)] = 1;
  return marks;
}

export interface Region {
  readonly from: number;
  readonly to: number;
}

/** `stride` 2 reads UTF-16LE, in which programs for Windows keep their strings. */
export type Stride = 1 | 2;

const textMarks = table(`\t\r\n${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => index + 32))}`);

/** Where there is text that is long enough to hold anything: the alphabets look only there. */
export function findRegions(bytes: Uint8Array, stride: Stride, least: number, tick: () => void): readonly Region[] {
  const regions: Region[] = [];
  let from = -1;
  for (let at = 0; at <= bytes.length; ) {
    if ((at & 0x3ffe) === 0) tick();
    const isText = at < bytes.length && textMarks[bytes[at] ?? 0] === 1 && (stride === 1 || bytes[at + 1] === 0);
    if (isText) {
      if (from === -1) from = at;
      at += stride;
      continue;
    }
    if (from !== -1 && at - from >= least * stride) regions.push({ from, to: Math.min(at, bytes.length) });
    from = -1;
    at += 1;
  }
  return regions;
}

interface Tables {
  readonly inside: Uint8Array;
  readonly between: Uint8Array;
}

/** The run that begins at `begin`: how many characters it has, and where it ends. */
function measureRun(bytes: Uint8Array, begin: number, to: number, stride: Stride, { inside, between }: Tables) {
  let [count, end] = [0, begin];
  for (let at = begin; at < to && at - begin < longestRun; at += stride) {
    const byte = bytes[at] ?? 0;
    if (inside[byte] === 1) {
      count += 1;
      end = at + stride;
    } else if (between[byte] !== 1 || at - end > 4 * stride) break;
  }
  return { count, end };
}

function readRun(bytes: Uint8Array, begin: number, end: number, stride: Stride, between: string): Run {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('latin1');
  const narrow = stride === 2 ? raw.replaceAll('\0', '') : raw;
  const text = [...between].reduce((all, one) => all.replaceAll(one, ''), narrow);
  return { offset: begin, length: end - begin, text };
}

export interface RunSearch {
  readonly bytes: Uint8Array;
  readonly regions: readonly Region[];
  readonly stride: Stride;
  readonly most: number;
  readonly tick: () => void;
}

export function findRuns({ bytes, regions, stride, most, tick }: RunSearch, alphabet: Alphabet): readonly Run[] {
  const tables = { inside: table(alphabet.characters), between: table(alphabet.between) };
  const runs: Run[] = [];
  for (const { from, to } of regions) {
    tick();
    for (let at = from; at < to && runs.length < most; ) {
      if (tables.inside[bytes[at] ?? 0] !== 1) {
        at += stride;
        continue;
      }
      const { count, end } = measureRun(bytes, at, to, stride, tables);
      if (count >= alphabet.least) runs.push(readRun(bytes, at, Math.min(end, bytes.length), stride, alphabet.between));
      at = Math.max(end, at + stride);
    }
  }
  return runs;
}
