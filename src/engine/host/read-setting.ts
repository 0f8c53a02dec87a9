import { readFile } from 'node:fs/promises';

/** One small file of /proc or /sys as trimmed text; null where this kernel does not have it or does not show it. */
export async function readSetting(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return null;
  }
}
