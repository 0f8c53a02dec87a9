import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../base/fingerprint.ts';
import type { Policy } from '../../../base/policy-schema.ts';

/** Policies that were learnt, one file per server, below Hotcell's own folder. */

/** Readable, and different for subjects that only look alike. */
export function policyFile(home: string, subject: string): string {
  const readable =
    subject
      .replace(/[^A-Za-z0-9._-]+/g, '_')
      .replace(/^[._]+/, '')
      .slice(0, 80) || 'server';
  return join(home, 'guard', 'policies', `${readable}-${sha256(subject).slice(0, 10)}.json`);
}

/** Null where none was learnt yet. A file that cannot be read or is no policy is an error, never "none". */
export async function readLearnt(file: string): Promise<Policy | null> {
  if (!existsSync(file)) return null;
  const { readPolicy } = await import('../../../engine/policy/read/load.ts');
  return readPolicy(file).policy;
}
