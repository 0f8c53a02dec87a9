import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const packageFile = new URL('../../../package.json', import.meta.url);

/** The version of this package. The file lies three folders up, both in src and in dist. */
export async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(packageFile, 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
