import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeError, HostError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { readLearnt } from './learnt-file.ts';
import { mergePolicies } from './merge.ts';

/** How a policy that was learnt is kept. */

/** Whole or not at all, and for its owner alone: it says what this user works with. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (cause) {
    throw new HostError(`cannot write the policy ${file}: ${describeError(cause)}`, { cause });
  }
}

/** What was learnt now, together with what was known before. */
export async function keepLearnt(file: string, learnt: Policy): Promise<Policy> {
  const before = await readLearnt(file);
  const policy = before === null ? learnt : mergePolicies(before, learnt);
  const { formatJson } = await import('../../../base/format-json.ts');
  replaceFile(file, formatJson({ ...policy }));
  return policy;
}
