import { z } from 'zod';
import { exitCodes, UsageError } from '../../../base/errors.ts';
import { proveConsistency, proveInclusion, verifyConsistency, verifyInclusion } from '../../../engine/ledger/index.ts';
import type { Door } from '../definition.ts';
import { formatJson } from '../terminal/index.ts';
import { trustedKeys } from './keys-given.ts';
import { type LedgerPlace, ledgerFolder, readGivenFile } from './place.ts';

/** Proofs are JSON on stdout: for a file, or for somebody else. */

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const note = z.string().max(65_536).nullable();
const path = z.array(hash).max(64);

export const inclusionSchema = z.strictObject({
  sequence: size,
  size,
  root: hash,
  line: z.string().max(1_048_576),
  leaf: hash,
  path,
  checkpoint: note,
});
export const consistencySchema = z.strictObject({
  oldSize: size,
  oldRoot: hash,
  newSize: size,
  newRoot: hash,
  path,
  oldCheckpoint: note,
  newCheckpoint: note,
});

function sequenceOf(word: string | undefined): number {
  const sequence = /^\d{1,15}$/.test(word ?? '') ? Number(word) : Number.NaN;
  if (Number.isNaN(sequence))
    throw new UsageError(`${JSON.stringify(word?.slice(0, 40))} is no number of an entry`, {
      hint: 'the first column of hotcell audit log',
    });
  return sequence;
}

export async function prove(wishes: LedgerPlace, words: readonly string[], door: Door): Promise<number> {
  const folder = ledgerFolder(wishes, door);
  const proof = await proveInclusion(folder, sequenceOf(words[0]));
  door.stdout.write(formatJson(proof));
  if (proof.checkpoint === null)
    door.stderr.write('no checkpoint vouches for this entry yet; prove it again after the next one\n');
  return exitCodes.clean;
}

/** A size, or a file with a checkpoint that was kept. */
async function headOf(word: string | undefined, door: Door): Promise<number | string> {
  return /^\d{1,15}$/.test(word ?? '') ? Number(word) : readGivenFile(word ?? '', door);
}

export async function consistency(wishes: LedgerPlace, words: readonly string[], door: Door): Promise<number> {
  const folder = ledgerFolder(wishes, door);
  const [older, newer] = [await headOf(words[0], door), await headOf(words[1], door)];
  door.stdout.write(formatJson(await proveConsistency(folder, older, newer)));
  return exitCodes.clean;
}

/** Needs the proof and the public keys, and not the ledger. */
export async function checkProof(
  wishes: { readonly key: readonly string[] } & LedgerPlace,
  words: readonly string[],
  door: Door,
): Promise<number> {
  const text = await readGivenFile(words[0] ?? '', door);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${words[0]} is no JSON`, { cause });
  }
  const folder = wishes.key.length === 0 ? ledgerFolder(wishes, door) : '';
  const { keys } = await trustedKeys(wishes.key, folder, door);
  const inclusion = inclusionSchema.safeParse(value);
  const consistent = consistencySchema.safeParse(value);
  if (!inclusion.success && !consistent.success) {
    throw new UsageError(`${words[0]} is no proof`, {
      hint: 'hotcell audit prove and hotcell audit consistency make them',
    });
  }
  const { holds, why } = inclusion.success
    ? verifyInclusion(inclusion.data, keys)
    : verifyConsistency(consistencySchema.parse(value), keys);
  const { style, symbols } = door.terminal;
  const what = inclusion.success
    ? `entry ${inclusion.data.sequence} is in the log of ${inclusion.data.size} entries`
    : 'the newer log continues the older one';
  door.stdout.write(
    holds ? `${style.good(symbols.good)} ${what}\n` : `${style.bad(symbols.bad)} the proof does not hold: ${why}\n`,
  );
  return holds ? exitCodes.clean : exitCodes.findings;
}
