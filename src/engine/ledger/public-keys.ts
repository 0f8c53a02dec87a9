import { join } from 'node:path';
import { HostError, UsageError } from '../../base/errors.ts';
import type { SignedCheckpoint } from './checkpoint.ts';
import { followHandovers, isChainProblem, type KeyPeriod, readKeyNote } from './handover.ts';
import { readFirstKey, readHandovers } from './keys.ts';
import { parseVerifierKey, type VerifierKey } from './note.ts';

/** What a verifier knows: public keys as text, and what they hand over to. */

/** One per line; empty lines and those that begin with # are comments. */
export function parsePublicKeys(text: string): readonly VerifierKey[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const key = parseVerifierKey(line);
      if (key === null)
        throw new UsageError('a public key is not of the form name+hash+base64', {
          hint: 'hotcell audit keys prints them',
        });
      return key;
    });
  if (keys.length === 0) throw new UsageError('there is no public key', { hint: 'hotcell audit keys prints them' });
  return keys;
}

export function readPublicKeys(text: string): readonly string[] {
  return parsePublicKeys(text).map((key) => key.text);
}

/** The keys of a ledger, one per line and the first one first: for whoever verifies to keep. */
export async function publicKeyText(folder: string): Promise<string> {
  const keysFolder = join(folder, 'keys');
  const first = readFirstKey(keysFolder);
  if (first === null) throw new UsageError(`${folder} is no ledger: it has no keys`);
  const chain = followHandovers(first, readHandovers(keysFolder));
  if (isChainProblem(chain)) throw new HostError(`the keys of the ledger are damaged: ${chain.why}`);
  return chain.periods.map(({ key }) => `${key.text}\n`).join('');
}

export interface Trust {
  readonly periods: readonly KeyPeriod[];
  readonly handovers: readonly SignedCheckpoint[];
  /** Why some keys are not trusted. */
  readonly problem: string | null;
}

/** Which keys count, for somebody who knows some of them. Without a hand-over there is one key, not several. */
export function trustOf(folder: string, trusted: readonly VerifierKey[], signer: (key: VerifierKey) => boolean): Trust {
  const alone = (key: VerifierKey | undefined): readonly KeyPeriod[] =>
    key === undefined ? [] : [{ key, start: 0, end: null }];
  const only = trusted.find(signer) ?? trusted[0];
  let handovers: readonly SignedCheckpoint[];
  try {
    handovers = readHandovers(join(folder, 'keys'));
  } catch (error) {
    return { periods: alone(only), handovers: [], problem: error instanceof Error ? error.message : String(error) };
  }
  const said = readKeyNote(handovers[0]?.extra ?? []);
  if (handovers.length === 0) return { periods: alone(only), handovers, problem: null };
  if (said?.is !== 'handover')
    return { periods: alone(only), handovers: [], problem: 'the first note about keys is no hand-over' };
  const chain = followHandovers(said.from, handovers);
  if (isChainProblem(chain)) return { periods: alone(only), handovers: [], problem: chain.why };
  const known = new Set(trusted.map(({ text }) => text));
  if (!chain.periods.some(({ key }) => known.has(key.text))) {
    return { periods: alone(only), handovers: [], problem: 'no key that is trusted is one of this ledger' };
  }
  return { periods: chain.periods, handovers, problem: null };
}
