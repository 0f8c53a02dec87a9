import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/json-shape.ts';
import { ledgerLimits } from './limits.ts';
import { sizeOf } from './segments.ts';
import { Frontier } from './tree.ts';

/**
 * Where the log was at its newest checkpoint, so that opening it reads only what came after. It is never believed: its tree
 * must have the root that a checkpoint was signed for, and its last line is read again.
 */
export interface Hint {
  readonly size: number;
  readonly parts: readonly string[];
  /** Sequence of the first entry of the segment. */
  readonly segment: number;
  /** Where the last line begins, and where it ends. */
  readonly lineOffset: number;
  readonly offset: number;
  /** Leaf hash of the last line. */
  readonly leaf: string;
}

const fileName = 'frontier';

export function writeHint(folder: string, hint: Hint): void {
  const temporary = join(folder, `${fileName}.${process.pid}.new`);
  writeFileSync(temporary, `${JSON.stringify(hint)}\n`, { mode: 0o600 });
  renameSync(temporary, join(folder, fileName));
}

function isHint(value: unknown): value is Hint {
  if (!isObject(value) || typeof value.leaf !== 'string') return false;
  const numbers = ['size', 'segment', 'lineOffset', 'offset'].map((name) => value[name]);
  const parts = value.parts;
  return numbers.every((number) => Number.isSafeInteger(number) && Number(number) >= 0) && Array.isArray(parts);
}

/** Null when there is none, or none that could be one. */
export function readHint(folder: string): { readonly hint: Hint; readonly frontier: Frontier } | null {
  try {
    const path = join(folder, fileName);
    if ((sizeOf(path) ?? 0) > ledgerLimits.hintBytes) return null;
    const hint: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isHint(hint)) return null;
    const frontier = Frontier.from(hint.size, hint.parts);
    return frontier === null ? null : { hint, frontier };
  } catch {
    return null;
  }
}
