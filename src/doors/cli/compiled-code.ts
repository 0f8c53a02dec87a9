import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

function makeFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

/**
 * Code that V8 has compiled, kept for the next start. Whoever can write there decides what we run, so it lies in Hotcell's
 * own folder and never in one that is shared; where that cannot be had, every start compiles anew.
 */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>, homeFolder: string): void {
  const home = environment.HOTCELL_HOME || environment.MCP_RCE_GUARD_HOME || join(homeFolder, '.hotcell');
  const folder = join(home, 'cache', 'code');
  try {
    // One by one: told to make all of them, Node never ends where a file system has no room for folders, such as /proc.
    for (const each of [home, join(home, 'cache'), folder]) makeFolder(each);
    const found = lstatSync(folder);
    const isOwn = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
    // Not there before Node 22.
    if (isOwn) enableCompileCache?.(folder);
  } catch {
    // A folder that cannot be made is no reason not to start.
  }
}
