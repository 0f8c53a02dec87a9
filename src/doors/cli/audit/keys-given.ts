import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { publicKeyText, readPublicKeys } from '../../../engine/ledger/index.ts';
import type { Door } from '../definition.ts';
import { readGivenFile } from './place.ts';

/** Keys that a verifier trusts. */

export interface TrustedKeys {
  readonly keys: readonly string[];
  /** They were taken from the ledger itself: whoever could rewrite it could have replaced them. */
  readonly areItsOwn: boolean;
}

/** Each is a key, or a file of keys. */
export async function trustedKeys(given: readonly string[], folder: string, door: Door): Promise<TrustedKeys> {
  if (given.length === 0) return { keys: readPublicKeys(await publicKeyText(folder)), areItsOwn: true };
  const texts = await Promise.all(
    given.map((word) => (existsSync(resolve(door.caller.folder, word)) ? readGivenFile(word, door) : word)),
  );
  return { keys: texts.flatMap((text) => readPublicKeys(text)), areItsOwn: false };
}
