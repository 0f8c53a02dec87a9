import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judge, type Summary, summarySchema } from './tests/summary.ts';
import { installSystemPackages } from './tests/system-packages.ts';

/**
 * `node scripts/run-tests.ts [--no-install] [--root FOLDER] [filter…]`: all tests, and at the end one line of counts.
 * The tests run in a process of their own, so that even one that takes the runner down is reported.
 */
const scripts = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const rootAt = words.indexOf('--root');
const root = rootAt === -1 ? dirname(scripts) : (words[rootAt + 1] ?? '');
const filters = words.filter(
  (word, index) => word !== '--no-install' && (rootAt === -1 || (index !== rootAt && index !== rootAt + 1)),
);

function runVitest(summaryFile: string): Promise<string | null> {
  const child = spawn(process.execPath, [join(scripts, 'tests', 'run-vitest.ts'), summaryFile, root, ...filters], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const handOn = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handOn);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : `ended with ${code ?? signal}`));
  });
}

function readSummary(file: string): Summary | null {
  try {
    return summarySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

if (!words.includes('--no-install')) await installSystemPackages((line) => process.stdout.write(`${line}\n`));
const folder = mkdtempSync(join(tmpdir(), 'hotcell-tests-'));
try {
  const summaryFile = join(folder, 'summary.json');
  const end = await runVitest(summaryFile);
  const { text, exitCode } = judge(readSummary(summaryFile), end);
  process.stdout.write(text);
  process.exitCode = exitCode;
} finally {
  rmSync(folder, { recursive: true });
}
