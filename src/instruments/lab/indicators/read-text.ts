import { isAlphanumeric, isNameCharacter } from './characters.ts';
import type { Reader, Trigger } from './kind.ts';
import { indicatorKinds } from './kinds/index.ts';
import { limits } from './limits.ts';
import { claim, type Scan } from './scan.ts';

/** Goes over one text, trigger by trigger; each pass looks at each character once. */

function readersOf(trigger: Trigger): readonly Reader[] {
  return indicatorKinds.flatMap(({ readers }) => readers.filter((reader) => reader.trigger === trigger));
}

function callAt(scan: Scan, readers: readonly Reader[], at: number): number {
  for (const reader of readers) {
    const next = reader.read(scan, at, at + 1);
    if (next !== undefined) return Math.max(next, at + 1);
  }
  return at + 1;
}

function readSchemes(scan: Scan): void {
  const readers = readersOf('scheme');
  for (let at = scan.text.indexOf('://'); at !== -1; at = scan.text.indexOf('://', at + 1)) {
    if (scan.claimAt(at) !== claim.phrase) callAt(scan, readers, at);
    scan.step();
  }
}

const pathStarts = new Set([...':%$\\/~'].map((character) => character.charCodeAt(0)));

function readCharacters(scan: Scan, trigger: Trigger, isStart: (code: number) => boolean, skipClaimed: boolean): void {
  const readers = readersOf(trigger);
  const { text } = scan;
  for (let at = 0; at < text.length; ) {
    scan.step();
    if (isStart(text.charCodeAt(at)) && !(skipClaimed && scan.claimAt(at) !== claim.free))
      at = callAt(scan, readers, at);
    else at += 1;
  }
}

/** Calls with the run without the punctuation at its ends; two dots in a row end one. */
function readName(scan: Scan, readers: readonly Reader[], start: number, end: number): void {
  const { text } = scan;
  let [from, to] = [start, end];
  while (from < to && (text.charCodeAt(from) === 46 || text.charCodeAt(from) === 45)) from += 1;
  while (
    to > from &&
    (text.charCodeAt(to - 1) === 46 || text.charCodeAt(to - 1) === 45 || text.charCodeAt(to - 1) === 95)
  )
    to -= 1;
  if (from === to) return;
  if (to - from > limits.hostLength) {
    scan.overlong += 1;
    return;
  }
  for (const reader of readers) if (reader.read(scan, from, to) !== undefined) return;
}

function readRuns(scan: Scan): void {
  const nameReaders = readersOf('name');
  const wordReaders = readersOf('word');
  const { text } = scan;
  let nameFrom = -1;
  let wordFrom = -1;
  for (let at = 0; at <= text.length; at += 1) {
    scan.step();
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const isDouble = code === 46 && text.charCodeAt(at - 1) === 46;
    if (at < text.length && isNameCharacter(code) && !isDouble) {
      if (nameFrom === -1) nameFrom = at;
    } else if (nameFrom !== -1) {
      readName(scan, nameReaders, nameFrom, at);
      nameFrom = -1;
    }
    if (at < text.length && isAlphanumeric(code)) {
      if (wordFrom === -1) wordFrom = at;
    } else if (wordFrom !== -1) {
      for (const reader of wordReaders) if (reader.read(scan, wordFrom, at) !== undefined) break;
      wordFrom = -1;
    }
  }
}

export function readText(scan: Scan): void {
  for (const reader of readersOf('text')) {
    reader.read(scan, 0, scan.text.length);
    scan.step(scan.text.length);
  }
  readSchemes(scan);
  readCharacters(scan, 'path', (code) => pathStarts.has(code), true);
  readCharacters(scan, 'at', (code) => code === 64, false);
  readCharacters(scan, 'colon', (code) => code === 58, true);
  readRuns(scan);
}
