import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fillIn, type Values } from './fill-in.ts';
import type { Attack } from './read-attacks.ts';

/** A folder that stands for the disk of a user: what the server is for, and what is none of its business. */

export interface World extends Values {
  /** As it was in the beginning, with the same words in it. */
  reset(): Promise<void>;
  /** The user of a box is somebody else each time: whatever one run has made, the next one may change. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const mostEntries = 10_000;

async function letIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await chmod(folder, 0o777);
  for (const entry of entries.slice(0, mostEntries)) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o777);
    else if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o111) === 0 ? 0o666 : 0o777);
  }
}

/** Words that no server can have by itself. */
function freshWord(kind: string): string {
  return `${kind}${randomBytes(12).toString('hex')}`;
}

async function plant(attack: Attack, values: Values): Promise<void> {
  const { world } = values;
  await rm(world, { recursive: true, force: true });
  await mkdir(world, { recursive: true });
  for (const path of attack.folders) await mkdir(join(world, path), { recursive: true });
  for (const { path, text, isProgram } of attack.files) {
    await mkdir(dirname(join(world, path)), { recursive: true });
    await writeFile(join(world, path), fillIn(text, values), { mode: isProgram ? 0o755 : 0o644 });
  }
  for (const { path, to } of attack.links) {
    await mkdir(dirname(join(world, path)), { recursive: true });
    await symlink(fillIn(to, values), join(world, path));
  }
  await letIn(world);
}

/** Not in /tmp, which a box has one of its own for. */
const parent = '/var/tmp';

/** In a folder of its own: the user of a box has to be let through, and nobody else can guess the way. */
export async function plantWorld(attack: Attack): Promise<World> {
  const folder = await mkdtemp(join(parent, 'hotcell-replay-'));
  await chmod(folder, 0o711);
  const world = join(folder, 'world');
  const values = { world, token: freshWord('token'), honest: freshWord('honest') };
  await plant(attack, values);
  return {
    ...values,
    reset: () => plant(attack, values),
    open: () => letIn(world),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
