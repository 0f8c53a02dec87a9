import { type Cipher, ciphers, isTrivial, plaintexts, rotate } from './ciphers.ts';

export interface Hidden {
  readonly cipher: Cipher;
  readonly key: number;
  readonly offset: number;
  readonly plaintext: string;
}

interface Search {
  readonly bytes: Uint8Array;
  readonly tick: () => void;
  readonly add: (id: Cipher['id'], key: number, offset: number, plaintext: string) => boolean;
}

const codes = plaintexts.map((text) => ({ plaintext: text, code: Uint8Array.from(Buffer.from(text, 'latin1')) }));

/** Goes to every place of `pattern` in native speed, until `found` says that it is enough. */
function everyPlace(haystack: Uint8Array, pattern: Uint8Array, found: (at: number) => boolean): void {
  const buffer = Buffer.from(haystack.buffer, haystack.byteOffset, haystack.length);
  for (let at = buffer.indexOf(pattern); at !== -1; at = buffer.indexOf(pattern, at + 1)) {
    if (!found(at)) return;
  }
}

/** What neighbours have between them is the same under every key: all keys are tried in one search. */
function xorSteps(bytes: Uint8Array): Uint8Array {
  const steps = new Uint8Array(Math.max(0, bytes.length - 1));
  for (let at = 0; at < steps.length; at += 1) steps[at] = (bytes[at] ?? 0) ^ (bytes[at + 1] ?? 0);
  return steps;
}

function addSteps(bytes: Uint8Array): Uint8Array {
  const steps = new Uint8Array(Math.max(0, bytes.length - 1));
  for (let at = 0; at < steps.length; at += 1) steps[at] = (bytes[at + 1] ?? 0) - (bytes[at] ?? 0);
  return steps;
}

function searchSteps({ bytes, tick, add }: Search, id: 'xor' | 'add'): void {
  const stepsOf = id === 'xor' ? xorSteps : addSteps;
  const steps = stepsOf(bytes);
  for (const { plaintext, code } of codes) {
    tick();
    const first = code[0] ?? 0;
    everyPlace(steps, stepsOf(code), (at) => {
      const byte = bytes[at] ?? 0;
      return add(id, id === 'xor' ? byte ^ first : (byte - first) & 255, at, plaintext);
    });
  }
}

function searchRotations({ bytes, tick, add }: Search): void {
  for (let by = 1; by < 8; by += 1) {
    const table = Uint8Array.from({ length: 256 }, (_, byte) => rotate(byte, by));
    const turned = new Uint8Array(bytes.length);
    for (let at = 0; at < turned.length; at += 1) turned[at] = table[bytes[at] ?? 0] ?? 0;
    for (const { plaintext, code } of codes) {
      tick();
      everyPlace(turned, code, (at) => add('rol', by, at, plaintext));
    }
  }
}

/** The key follows from the first byte; nearly every place is left after the second. */
function searchGrowing({ bytes, tick, add }: Search): void {
  for (const { plaintext, code } of codes) {
    tick();
    const [first = 0, second = 0] = code;
    for (let at = 0; at + code.length <= bytes.length; at += 1) {
      const key = (bytes[at] ?? 0) ^ first;
      if (((bytes[at + 1] ?? 0) ^ second) !== ((key + 1) & 255)) continue;
      let index = 2;
      while (index < code.length && ((bytes[at + index] ?? 0) ^ ((key + index) & 255)) === code[index]) index += 1;
      if (index === code.length && !add('xor-increment', key, at, plaintext)) return;
    }
  }
}

/** At most `most` places per cipher, in the order of the file. */
export function findHidden(bytes: Uint8Array, most: number, tick: () => void): readonly Hidden[] {
  const found: Hidden[] = [];
  const counts = new Map<string, number>();
  let looked = 0;
  const add: Search['add'] = (id, key, offset, plaintext) => {
    looked += 1;
    if ((looked & 1023) === 0) tick();
    if (isTrivial(id, key, plaintext)) return true;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count <= most) found.push({ cipher: ciphers[id], key, offset, plaintext });
    return count < most;
  };
  const search = { bytes, tick, add };
  searchSteps(search, 'xor');
  searchSteps(search, 'add');
  searchRotations(search);
  searchGrowing(search);
  return found.toSorted((left, right) => left.offset - right.offset);
}

/** The bytes from `from` on, as they are behind the cipher; the key is the one at `hidden.offset`. */
export function uncover(bytes: Uint8Array, { cipher, key, offset }: Hidden, from: number, length: number): Uint8Array {
  const part = bytes.subarray(Math.max(0, from), Math.max(0, from) + length);
  return part.map((byte, index) => cipher.plain(byte, key, from + index - offset));
}
