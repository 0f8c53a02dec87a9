import type { SignedCheckpoint } from './checkpoint.ts';
import { checkNote, parseVerifierKey, type VerifierKey } from './note.ts';

/**
 * Which key's signature counts for which size of the log. A hand-over is a checkpoint with three lines more, signed by both
 * keys; from its size on both sign. A retirement, signed by both again, says at which size the old one has ended.
 */

export interface KeyPeriod {
  readonly key: VerifierKey;
  /** Signs from this size on; … */
  readonly start: number;
  /** … and up to this one, when it has retired. */
  readonly end: number | null;
}

export function handoverLines(from: VerifierKey, to: VerifierKey, until: string): readonly string[] {
  return [`handover-from ${from.text}`, `handover-to ${to.text}`, `overlap-until ${until}`];
}

export function retirementLines(retired: VerifierKey): readonly string[] {
  return [`retired ${retired.text}`];
}

type KeyNote =
  | { readonly is: 'handover'; readonly from: VerifierKey; readonly to: VerifierKey; readonly until: string }
  | { readonly is: 'retirement'; readonly retired: VerifierKey };

function keyIn(line: string | undefined, label: string): VerifierKey | null {
  return line?.startsWith(`${label} `) ? parseVerifierKey(line.slice(label.length + 1)) : null;
}

export function readKeyNote(extra: readonly string[]): KeyNote | null {
  const retired = keyIn(extra[0], 'retired');
  if (retired !== null && extra.length === 1) return { is: 'retirement', retired };
  const [from, to] = [keyIn(extra[0], 'handover-from'), keyIn(extra[1], 'handover-to')];
  const until = /^overlap-until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/.exec(extra[2] ?? '')?.[1];
  if (from === null || to === null || until === undefined || extra.length !== 3) return null;
  return { is: 'handover', from, to, until };
}

export interface KeyChain {
  readonly periods: readonly KeyPeriod[];
  /** Of the overlap that has not ended, ISO time. */
  readonly until: string | null;
}

export interface ChainProblem {
  /** Which note of the file. */
  readonly index: number;
  readonly why: string;
}

/** Follows the notes from the first key on. Each link is signed by both ends, or it is none. */
export function followHandovers(first: VerifierKey, notes: readonly SignedCheckpoint[]): KeyChain | ChainProblem {
  let periods: readonly KeyPeriod[] = [{ key: first, start: 0, end: null }];
  let until: string | null = null;
  let size = 0;
  for (const [index, note] of notes.entries()) {
    const said = readKeyNote(note.extra);
    const current = periods.at(-1);
    if (said === null || current === undefined) return { index, why: 'a note about keys says nothing that is known' };
    if (note.origin !== first.name || note.size < size)
      return { index, why: 'a note about keys is of another log, or out of order' };
    size = note.size;
    const signers = said.is === 'handover' ? [said.from, said.to] : [said.retired, current.key];
    const check = checkNote(note.note, signers);
    if (check.good.length !== 2 || check.wrong.length > 0 || check.unknown.length > 0) {
      return { index, why: 'a note about keys is not signed by both of them' };
    }
    if (said.is === 'handover') {
      const isNext = said.from.text === current.key.text && until === null && said.to.name === first.name;
      if (!isNext) return { index, why: 'a hand-over does not continue from the key before it' };
      periods = [...periods, { key: said.to, start: note.size, end: null }];
      until = said.until;
    } else {
      const retiring = periods.at(-2);
      if (until === null || retiring?.key.text !== said.retired.text)
        return { index, why: 'a key retires that was not handed over' };
      periods = [...periods.slice(0, -2), { ...retiring, end: note.size }, current];
      until = null;
    }
  }
  return { periods, until };
}

export function isChainProblem(chain: KeyChain | ChainProblem): chain is ChainProblem {
  return 'why' in chain;
}

/** Keys that have to sign at this size. At the very size of a change the old way and the new one are both fine. */
export function signersAt(periods: readonly KeyPeriod[], size: number): readonly VerifierKey[] {
  return periods.filter(({ start, end }) => start <= size && (end === null || size < end)).map(({ key }) => key);
}

/** Why this checkpoint is not to be believed; null when it is. */
export function signatureProblem(periods: readonly KeyPeriod[], checkpoint: SignedCheckpoint): string | null {
  const check = checkNote(
    checkpoint.note,
    periods.map(({ key }) => key),
  );
  if (check.wrong.length > 0) return `the signature of key ${check.wrong[0]?.id} is wrong`;
  if (check.unknown.length > 0) return `it is signed by key ${check.unknown[0]?.id}, which is not a key of this log`;
  if (check.good.length === 0) return 'nobody signed it';
  const { size } = checkpoint;
  for (const { key, start, end } of periods) {
    const hasSigned = check.good.includes(key);
    if (hasSigned && size < start) return `key ${key.id} signs only from size ${start} on`;
    if (hasSigned && end !== null && size > end) return `the validity of key ${key.id} ended at size ${end}`;
    const isNeeded = (start < size || start === 0) && (end === null || size < end);
    if (!hasSigned && isNeeded) return `the signature of key ${key.id} is missing`;
  }
  return null;
}
