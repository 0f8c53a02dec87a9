import { join } from 'node:path';
import { parseKeptCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { checkpointsName } from './checkpoint-file.ts';
import { type KeyPeriod, signatureProblem } from './handover.ts';
import { readNotes } from './notes-reader.ts';
import type { LedgerProblem } from './report.ts';

/** Signed sizes and roots that the entries are held against, smallest first. */
export interface Head {
  readonly checkpoint: SignedCheckpoint;
  readonly source: 'checkpoints' | 'handovers' | 'kept';
  readonly offset: number | null;
}

export function noteProblem(
  kind: LedgerProblem['kind'],
  file: string | null,
  offset: number | null,
  why: string,
): LedgerProblem {
  return { kind, sequence: null, upTo: null, file, offset, why };
}

interface HeadsOptions {
  readonly folder: string;
  readonly periods: readonly KeyPeriod[];
  readonly handovers: readonly SignedCheckpoint[];
  readonly kept: string | undefined;
  readonly tell: (problem: LedgerProblem) => void;
}

/** Notes of the file that are to be believed; of the others it is told. */
function* believable({ folder, periods, tell }: HeadsOptions): Generator<Head> {
  let size = 0;
  const origin = periods[0]?.key.name;
  for (const { checkpoint, offset } of readNotes(join(folder, checkpointsName))) {
    const say = (kind: LedgerProblem['kind'], why: string): void =>
      tell(noteProblem(kind, checkpointsName, offset, why));
    if (checkpoint === null || checkpoint.extra.length > 0) {
      say('note', 'here is something that is no checkpoint');
      continue;
    }
    const problem =
      checkpoint.origin === origin
        ? signatureProblem(periods, checkpoint)
        : `it is of another log, or by nobody who is trusted`;
    if (problem !== null)
      say(
        problem.includes('is wrong') ? 'note' : 'key',
        `a checkpoint of size ${checkpoint.size} is not to be believed: ${problem}`,
      );
    else if (checkpoint.size < size)
      say('note', `a checkpoint of size ${checkpoint.size} comes after one of size ${size}`);
    else yield { checkpoint, source: 'checkpoints', offset };
    size = Math.max(size, problem === null ? checkpoint.size : 0);
  }
}

function keptHead({ kept, periods, tell }: HeadsOptions): readonly Head[] {
  if (kept === undefined) return [];
  const checkpoint = parseKeptCheckpoint(kept);
  const isOfLog = checkpoint?.origin === periods[0]?.key.name;
  const problem =
    checkpoint === null
      ? 'it is no signed note'
      : isOfLog
        ? signatureProblem(periods, checkpoint)
        : 'it is of another log, or by nobody who is trusted';
  if (checkpoint !== null && problem === null) return [{ checkpoint, source: 'kept', offset: null }];
  tell(noteProblem('note', null, null, `the checkpoint that was kept is not to be believed: ${problem}`));
  return [];
}

/** All heads in the order of their sizes. */
export function* readHeads(options: HeadsOptions): Generator<Head> {
  const others = [
    ...options.handovers.map((checkpoint): Head => ({ checkpoint, source: 'handovers', offset: null })),
    ...keptHead(options),
  ].sort((left, right) => left.checkpoint.size - right.checkpoint.size);
  for (const head of believable(options)) {
    while (others[0] !== undefined && others[0].checkpoint.size <= head.checkpoint.size) yield others.shift() as Head;
    yield head;
  }
  yield* others;
}
