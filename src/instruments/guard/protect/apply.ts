import { describeError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import type { ProtectOptions } from './contract.ts';
import { Backups } from './files/backups.ts';
import { replaceFile } from './files/replace-file.ts';
import type { PlannedFile } from './plan.ts';

/** Does what was planned: backup, ledger, file, in this order, so that nothing is ever changed without a trace. */

export interface Applied {
  readonly path: string;
  /** Where the file as it was is kept; null where undo has brought it back. */
  readonly backup: string | null;
}

/** @throws UsageError when another program changed the file since it was planned; HostError when the ledger or the disk fails. */
export async function applyPlan(plan: PlannedFile, options: ProtectOptions, now = new Date()): Promise<Applied> {
  const { action, file, after, client, servers } = plan;
  if (file === undefined || after === undefined) return { path: plan.path, backup: null };
  const backups = new Backups(options.home);
  const names = servers
    .filter(({ change }) => change.is === 'wrapped' || change.is === 'unwrapped')
    .map(({ name }) => name);
  const isProtect = action === 'config.protect';
  const saved = isProtect ? await backups.save(file, after, names, now) : null;
  const details = {
    path: file.real,
    client,
    servers: names,
    before: file.sha256,
    after: sha256(after),
    ...(plan.how === undefined ? {} : { how: plan.how }),
  };
  const entry = { instrument: 'guard', action, session: options.session } as const;
  let isTold = false;
  try {
    await replaceFile(file, after, async () => {
      await options.ledger.append({ ...entry, verdict: 'changed', details });
      isTold = true;
    });
  } catch (error) {
    if (saved !== null) await backups.remove(saved);
    // The ledger has it as done: it is told as well that it was not.
    const because = describeError(error);
    if (isTold) await options.ledger.append({ ...entry, verdict: 'refused', details: { ...details, because } });
    throw error;
  }
  for (const backup of plan.restored ?? []) {
    // What came back byte for byte need not lie about a second time.
    if (plan.how === 'restored') await backups.remove(backup);
    else await backups.markUndone(backup, now);
  }
  for (const backup of plan.passed ?? []) await backups.markUndone(backup, now);
  return { path: plan.path, backup: saved === null ? null : `${backups.folder}/${saved.name}.bytes` };
}
