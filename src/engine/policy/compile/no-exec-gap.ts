import type { Gap } from '../gap.ts';
import type { Mount } from './mounts.ts';

/** Some tools cannot bind a folder such that nothing in it runs. One gap for all of them, with their number. */
export function noExecGaps(mounts: readonly Mount[], landlockAbi: number): readonly Gap[] {
  const open = mounts.filter((mount) => mount.kind === 'bind' && mount.of !== 'hotcell' && !mount.access.execute);
  if (open.length === 0) return [];
  const remedy =
    landlockAbi > 0
      ? 'unless Landlock is put on inside or their file system is mounted noexec'
      : 'unless their file system is mounted noexec';
  const what = `programs in ${open.length} paths without an execute rule can be run, ${remedy}`;
  return [{ id: 'no-exec', path: 'files', what, effect: 'open' }];
}
