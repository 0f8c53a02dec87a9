import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, readUntil, repository } from './hotcell.ts';

/** The conformance suite of the protocol against our door. It talks to loopback alone. */

const folder = join(repository, 'test', 'e2e', 'mcp');
const output = mkdtempSync(join(tmpdir(), 'hotcell-conformance-'));
const child = spawn(process.execPath, [join(folder, 'conformance-server.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';

beforeAll(async () => {
  url = (await readUntil(child.stdout, '\n')).trim();
});

afterAll(() => {
  child.kill('SIGTERM');
  rmSync(output, { recursive: true, force: true });
});

describe('conformance', () => {
  it.each([
    ['2026-07-28', 26],
    ['2025-11-25', 20],
  ])('to %s, but for what is listed with a reason', (revision, least) => {
    const expected = join(folder, `conformance-${revision}.yml`);
    const suite = join(repository, 'node_modules', '.bin', 'conformance');
    const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', expected, '-o', output];
    const ran = spawnSync(suite, args, {
      cwd: output,
      env: cleanEnvironment({ PATH: `${repository}/node_modules/.bin:/usr/bin:/bin` }),
      encoding: 'utf8',
      timeout: 170_000,
    });
    expect(ran.status, ran.stdout.slice(-6000) + ran.stderr).toBe(0);
    const passed = [...ran.stdout.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed/gm)];
    expect(passed.length).toBeGreaterThanOrEqual(least);
    // Each group of entries stands under the line that says why.
    const lines = readFileSync(expected, 'utf8').split('\n');
    expect(lines[lines.indexOf('server:') + 1]).toMatch(/^ {2}# /);
  });
});
