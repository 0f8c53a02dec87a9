import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../settings/index.ts';

const openers: Readonly<Record<string, string>> = { linux: 'xdg-open', darwin: 'open' };

async function findProgram(name: string, { environment }: Caller): Promise<string | null> {
  const folders = (environment.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

/** Hands a file to the desktop; false where there is none. */
export async function openPage(file: string, caller: Caller): Promise<boolean> {
  const name = openers[process.platform];
  const program = name === undefined ? null : await findProgram(name, caller);
  if (program === null) return false;
  return new Promise((resolve) => {
    const child = spawn(program, [file], { detached: true, stdio: 'ignore', env: { ...caller.environment } });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
