import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeError } from '../../src/base/errors.ts';
import { minuteMs } from '../../src/base/limits.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/hotcell-python');
const requirements = join(import.meta.dirname, 'python-requirements.txt');
const lockWaitMs = 5 * minuteMs;

export interface PythonPackages {
  /** Null where the packages could not be had. */
  readonly python: string | null;
  readonly reason: string;
}

/** A lock whose owner is gone is taken over: nobody holds it for longer than an installation may take. */
async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + lockWaitMs;
  for (;;) {
    try {
      await mkdir(path);
      break;
    } catch (error) {
      const age =
        Date.now() -
        (await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => Date.now(),
        ));
      if (age > lockWaitMs) await rm(path, { recursive: true, force: true });
      else if (Date.now() > deadline) throw error;
      else await sleep(200);
    }
  }
  try {
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** The requirements of these packages alone would need their dependencies named twice: all of them are installed. */
async function install(folder: string): Promise<void> {
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', making], { timeout: 2 * minuteMs });
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', '--require-hashes'];
  await run(join(making, 'bin/python3'), [...pip, '--only-binary', ':all:', '-r', requirements], {
    timeout: 4 * minuteMs,
  });
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
}

async function importable(python: string, names: readonly string[]): Promise<boolean> {
  const modules = names.map((name) => name.replace(/-tool$/, '').replaceAll('-', '_'));
  return await run(python, ['-c', modules.map((name) => `import ${name}`).join('\n')], { timeout: minuteMs }).then(
    () => true,
    () => false,
  );
}

/** A Python that has these packages of the list, with what they need; or the reason why there is none. */
export async function findPythonPackages(names: readonly string[]): Promise<PythonPackages> {
  try {
    const list = await readFile(requirements, 'utf8');
    const unlisted = names.filter((name) => !list.includes(`${name}==`));
    if (unlisted.length > 0) return { python: null, reason: `not in the list of packages: ${unlisted.join(', ')}` };
    // A list that changes makes a folder of its own.
    const folder = join(cache, createHash('sha256').update(list).digest('hex').slice(0, 16));
    const python = join(folder, 'bin/python3');
    await mkdir(cache, { recursive: true });
    return await withLock(`${folder}.lock`, async () => {
      const failed = join(cache, 'failed');
      if (await importable(python, names)) return { python, reason: '' };
      // Without a network the next test file need not wait for it again.
      const recent = await stat(failed).then(
        ({ mtimeMs }) => Date.now() - mtimeMs < 10 * minuteMs,
        () => false,
      );
      if (recent) return { python: null, reason: await readFile(failed, 'utf8') };
      try {
        await install(folder);
      } catch (error) {
        await writeFile(failed, `the packages could not be installed: ${describeError(error).slice(0, 300)}`);
        throw error;
      }
      return (await importable(python, names))
        ? { python, reason: '' }
        : { python: null, reason: 'installed, but cannot be imported' };
    });
  } catch (error) {
    return { python: null, reason: `the packages could not be installed: ${describeError(error).slice(0, 300)}` };
  }
}

export async function pythonPackages(names: readonly string[]): Promise<string | null> {
  return (await findPythonPackages(names)).python;
}
