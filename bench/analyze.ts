import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Result } from './result.ts';

/** How long an analysis of published servers takes as a user starts it, and what a second one at the same time costs. */

const program = fileURLToPath(new URL('../src/doors/cli/main.ts', import.meta.url));
const targets = [
  'npm:@modelcontextprotocol/server-filesystem@2025.7.1',
  'npm:@modelcontextprotocol/server-memory@2025.4.25',
];

function analyze(words: readonly string[], home: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--no-warnings', program, 'analyze', '--quiet', '--offline-ok', ...words], {
    stdio: 'ignore',
    env: { ...process.env, HOTCELL_HOME: home },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      // 0: clean, 1: findings; anything else is no measurement.
      if (code === 0 || code === 1) resolve((performance.now() - startedAt) / 1000);
      else reject(new Error(`hotcell analyze ${words.join(' ')} ended with ${code}`));
    });
  });
}

export async function measureAnalyze({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  const home = join(runtimeFolder, 'analyze');
  // The first turn fills the cache.
  await analyze([...targets, '--jobs', '2'], home);
  const alone = await analyze([...targets, '--jobs', '1'], home);
  const together = await analyze([...targets, '--jobs', '2'], home);
  const detail = `${alone.toFixed(1)} s one after the other, ${together.toFixed(1)} s at once`;
  return [
    { name: 'analysis of a published server', value: alone / targets.length, unit: 's', bar: 40, detail },
    // 1.6 times as much in the same time.
    { name: 'two at once, of one after the other', value: together / alone, unit: 'x', bar: 1 / 1.6, detail },
  ];
}
