import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeError, UsageError } from '../../base/errors.ts';
import { checkpointsName } from './checkpoint-file.ts';
import { followHandovers, isChainProblem, type KeyPeriod } from './handover.ts';
import { readFirstKey, readHandovers } from './keys.ts';
import { Ledger } from './ledger.ts';
import { ledgerLimits } from './limits.ts';
import { isBadLine, readLine } from './line.ts';
import { FileLock } from './lock.ts';
import { readNotes } from './notes-reader.ts';
import type { FileCheck, FileCheckReport } from './report.ts';
import { sizeOf } from './segments.ts';
import { hashLeafInPlace, noLeaf } from './tree.ts';
import { walkLines } from './walk.ts';
import { findDeadWriters, release } from './writers.ts';

/** Are the files of a ledger fit to be written to? Whether they are genuine is for `verifyLedger`. */

type Fault = Omit<FileCheck, 'isRepaired'> & { readonly repair?: () => void };

const nextWriter = 'the next writer moves it aside and says so in the log';

interface ReadState {
  readonly size: number;
  readonly faults: readonly Fault[];
}

async function checkEntries(folder: string, covered: number): Promise<ReadState> {
  let [size, leaf] = [0, noLeaf];
  let found: { readonly name: string; readonly what: string } | null = null;
  const end = await walkLines(folder, (block, start, stop, segment, offset) => {
    const line = readLine(block.buffer.subarray(start, stop));
    const what = isBadLine(line)
      ? line.why
      : line.sequence !== size
        ? `entry ${line.sequence} stands where entry ${size} belongs`
        : line.previous !== leaf
          ? `entry ${size} does not name the one before it`
          : null;
    if (what !== null) {
      found = { name: segment.name, what: `byte ${offset}: ${what}` };
      return false;
    }
    leaf = hashLeafInPlace(block.buffer, start, stop);
    size += 1;
    return true;
  });
  if (end !== null) found = { name: end.segment.name, what: `byte ${end.offset}: ${end.why}` };
  const isForPerson = size < covered || end?.kind === 'missing' || end?.kind === 'segment';
  const faults: Fault[] = found === null ? [] : [{ ...(found as Fault), remedy: isForPerson ? null : nextWriter }];
  if (size < covered) {
    faults.push({
      name: checkpointsName,
      what: `a checkpoint vouches for ${covered} entries, and ${size} are there`,
      remedy: null,
    });
  }
  return { size, faults };
}

function checkNotes(folder: string): { readonly covered: number; readonly faults: readonly Fault[] } {
  let [covered, bad]: [number, { offset: number } | null] = [0, null];
  const faults: Fault[] = [];
  for (const { checkpoint, offset } of readNotes(join(folder, checkpointsName))) {
    if (bad !== null && checkpoint !== null) {
      faults.push({ name: checkpointsName, what: `byte ${bad.offset}: something that is no checkpoint`, remedy: null });
      bad = null;
    }
    if (checkpoint === null) bad = { offset };
    else covered = Math.max(covered, checkpoint.size);
  }
  if (bad !== null)
    faults.push({
      name: checkpointsName,
      what: `byte ${bad.offset}: the last checkpoint is not finished`,
      remedy: nextWriter,
    });
  return { covered, faults };
}

const modes: readonly { readonly name: RegExp; readonly mode: number }[] = [
  { name: /^keys$/, mode: 0o700 },
  { name: /^keys\/.*\.key$/, mode: 0o600 },
  { name: /^entries-/, mode: 0o600 },
];

function checkModes(folder: string, names: readonly string[]): readonly Fault[] {
  return names.flatMap((name) => {
    const wanted = modes.find((each) => each.name.test(name))?.mode;
    const path = join(folder, name);
    if (wanted === undefined || (statSync(path).mode & 0o077) === 0) return [];
    const what = 'others than the owner can get at it';
    return [{ name, what, remedy: `its mode becomes ${wanted.toString(8)}`, repair: () => chmodSync(path, wanted) }];
  });
}

function checkKeys(folder: string): readonly Fault[] {
  const keysFolder = join(folder, 'keys');
  try {
    const first = readFirstKey(keysFolder);
    if (first === null) return [{ name: 'keys/first', what: 'it is missing', remedy: null }];
    const chain = followHandovers(first, readHandovers(keysFolder));
    if (isChainProblem(chain)) return [{ name: 'keys/handovers', what: chain.why, remedy: null }];
    const missing = ({ key, end }: KeyPeriod): boolean =>
      end === null && sizeOf(join(keysFolder, `${key.id}.key`)) === null;
    const names = [...chain.periods.filter(missing).map(({ key }) => `keys/${key.id}.key`)];
    if (sizeOf(join(keysFolder, 'secrets.key')) === null) names.push('keys/secrets.key');
    return names.map((name) => ({ name, what: 'it is missing', remedy: null }));
  } catch (error) {
    return [{ name: 'keys', what: describeError(error), remedy: null }];
  }
}

function checkLeftovers(folder: string, names: readonly string[]): readonly Fault[] {
  const unfinished = names.filter((name) => name.endsWith('.new'));
  const dead = findDeadWriters(folder);
  release(dead);
  return [
    ...unfinished.map((name) => {
      const remedy = 'it is removed';
      return {
        name,
        what: 'a file that was not finished',
        remedy,
        repair: () => rmSync(join(folder, name), { force: true }),
      };
    }),
    ...dead.map(({ path }) => {
      const remedy = 'the next writer names in the log what was perhaps not acknowledged';
      return { name: path.slice(folder.length + 1), what: 'a writer ended without closing the ledger', remedy };
    }),
  ];
}

/** `repair` does what the next writer would do, and what is safe besides; the rest is for a person. */
export async function checkFiles(
  folder: string,
  options: { readonly repair?: boolean } = {},
): Promise<FileCheckReport> {
  if (sizeOf(join(folder, 'keys')) === null && sizeOf(join(folder, checkpointsName)) === null) {
    throw new UsageError(`there is no ledger at ${folder}`);
  }
  const lock = new FileLock(join(folder, 'lock'));
  let faults: readonly Fault[];
  let size: number;
  try {
    await lock.acquire(ledgerLimits.lockWaitMs);
    const names = [...readdirSync(folder), ...readdirSync(join(folder, 'keys')).map((name) => `keys/${name}`)];
    const notes = checkNotes(folder);
    const entries = await checkEntries(folder, notes.covered);
    size = entries.size;
    faults = [
      ...entries.faults,
      ...notes.faults,
      ...checkKeys(folder),
      ...checkModes(folder, names),
      ...checkLeftovers(folder, names),
    ];
    if (options.repair === true) for (const fault of faults) fault.repair?.();
  } finally {
    lock.close();
  }
  const isHopeless = faults.some(({ remedy }) => remedy === null);
  const isForWriter = faults.some(({ repair, remedy }) => repair === undefined && remedy !== null);
  const isRecovered = options.repair === true && isForWriter && !isHopeless;
  if (isRecovered) await (await Ledger.open({ folder })).close();
  const checks = faults.map(({ name, what, remedy, repair }) => {
    const isRepaired = options.repair === true && remedy !== null && (repair !== undefined || isRecovered);
    return { name, what, remedy, isRepaired };
  });
  return { isClean: checks.every(({ isRepaired }) => isRepaired), size, checks };
}
