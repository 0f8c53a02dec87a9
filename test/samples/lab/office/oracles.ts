import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a program of others says of a sample; exit codes are answers too. */
export async function ask(
  program: string,
  args: (file: string) => readonly string[],
  sample: Buffer,
  name: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hotcell-office-'));
  try {
    const file = join(folder, name);
    await writeFile(file, sample);
    const options = { cwd: folder, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 };
    return await execute(program, [...args(file)], options).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? '',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of an installed program, or null. */
export async function findProgram(name: string): Promise<string | null> {
  return await execute('sh', ['-c', 'command -v "$1"', 'sh', name]).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );
}
