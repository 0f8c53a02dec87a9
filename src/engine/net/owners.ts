import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from '../../base/process.ts';

/**
 * Whose a network is, written down before it exists. A box undoes its network with itself; whoever is killed between the
 * two leaves a network without a box, and this is how it is found.
 */

const folder = '/run/hotcell-networks';
const mostNotes = 10_000;

/** False where somebody else's note has that name. */
export async function noteOwner(runId: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = `${process.pid} ${processStart(process.pid) ?? '0'}\n`;
  return writeFile(join(folder, runId), text, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

export async function forgetOwner(runId: string): Promise<void> {
  await rm(join(folder, runId), { force: true });
}

/** Runs whose process is gone. */
export async function findAbandoned(): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const read = names.slice(0, mostNotes).map(async (name) => {
    const text = await readFile(join(folder, name), 'latin1').catch(() => null);
    const [, pid, startedAt] = /^(\d+) (\d+)\n$/.exec(text ?? '') ?? [];
    // One that is being written now has no owner yet.
    return pid !== undefined && processStart(Number(pid)) !== startedAt ? [name] : [];
  });
  return (await Promise.all(read)).flat();
}
