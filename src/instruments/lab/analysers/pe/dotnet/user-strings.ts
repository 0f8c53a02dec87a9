import { attempt, makeReader } from '../../reader.ts';
import { compressedLength } from './metadata.ts';

const mostStrings = 50_000;
const mostCharacters = 2 * 1024 * 1024;

/** The texts that the code loads, in the order of the heap. */
export function readUserStrings(heap: Uint8Array, tick: () => void): string[] {
  const reader = makeReader(heap);
  const strings: string[] = [];
  let characters = 0;
  let at = 1;
  while (at < reader.length && strings.length < mostStrings && characters < mostCharacters) {
    if (strings.length % 1024 === 0) tick();
    const [length, from] = attempt(() => compressedLength(reader, at)) ?? [0, reader.length];
    const text = Buffer.from(reader.cut(from, length - (length % 2))).toString('utf16le');
    if (length > 1) strings.push(text);
    characters += text.length;
    at = from + length;
  }
  return strings;
}
