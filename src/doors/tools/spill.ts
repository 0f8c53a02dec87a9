import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Answers that are larger than a client can take are kept as files, of which only the newest stay. */

const mostFiles = 200;

export function outputsFolder(home: string): string {
  return join(home, 'outputs');
}

function nameNow(): string {
  const stamp = new Date().toISOString().replace(/[-:.]/g, '').replace('T', '-').slice(0, 18);
  return `${stamp}-${randomBytes(4).toString('hex')}`;
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d{8}-\d{9}-[0-9a-f]{8}-/.test(name)).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - mostFiles)))
    await rm(join(folder, name), { force: true });
}

export interface Spilled {
  readonly path: string;
  readonly bytes: number;
}

export async function spill(home: string, name: string, text: string): Promise<Spilled> {
  const folder = outputsFolder(home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${nameNow()}-${name}`);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  await forgetOldest(folder);
  return { path, bytes: Buffer.byteLength(text) };
}
