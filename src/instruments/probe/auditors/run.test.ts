import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleInput } from './client/sample-input.ts';
import type { Auditor } from './contract.ts';
import { type SampleServer, sendJson, serve } from './inquiry/sample-audit.ts';
import { runAudit } from './run.ts';
import { longestLineBytes } from './write-lines.ts';

const input = sampleInput('http://127.0.0.1:9/', {
  arguments: { token: 'token-in-arguments' },
  credential: { name: 'c', header: 'authorization', value: 'Bearer s3cret-value' },
});

async function runOne(
  run: Auditor['run'],
  text = JSON.stringify(input),
): Promise<{ code: number; lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await runAudit([{ name: 'one', run }], 'one', text, (line) => void lines.push(line));
  return { code, lines };
}

describe('running an auditor', () => {
  it('ends with a line that says so', async () => {
    const { code, lines } = await runOne(async ({ say }) => say({ type: 'fact', name: 'a', value: 1 }));
    expect({ code, lines }).toEqual({ code: 0, lines: ['{"type":"fact","name":"a","value":1}', '{"type":"end"}'] });
  });

  it('turns a failure into a note, without what could hurt a terminal', async () => {
    const { code, lines } = await runOne(async () => {
      throw new Error('bad\u001b[31m\nthing');
    });
    expect({ code, lines }).toEqual({
      code: 1,
      lines: ['{"type":"note","text":"the audit stopped: bad\\\\x1b[31m thing"}'],
    });
  });

  it('hides what it was given to keep, wherever it stands', async () => {
    const { lines } = await runOne(async ({ say }) => {
      say({ type: 'note', text: 'saw Bearer s3cret-value and s3cret-value' });
      say({ type: 'fact', name: 'x', value: { deep: ['token-in-arguments'] } });
    });
    expect(lines.join()).not.toMatch(/s3cret-value|token-in-arguments/);
    expect(lines[0]).toContain('saw [secret] and [secret]');
  });

  it('bounds lines and their number', async () => {
    const long = '\u0000'.repeat(200_000);
    const finding = {
      rule: 'a/b',
      title: long,
      severity: 'low',
      evidence_class: 'A',
      at: long,
      detail: long,
      evidence: long,
      remediation: long,
      cwe: [],
      repro: long,
    } as const;
    const { lines } = await runOne(async ({ say }) => {
      say({ type: 'fact', name: 'x', value: long });
      say({ type: 'finding', finding });
      for (let turn = 0; turn < 12_000; turn += 1) say({ type: 'note', text: 'x' });
    });
    expect(lines.every((line) => Buffer.byteLength(line) <= longestLineBytes)).toBe(true);
    expect(lines[0]).toContain('too long');
    expect(lines).toHaveLength(10_002);
  });

  it.each([
    ['not JSON', '{', 'not JSON'],
    ['no object', '[]', 'not an object'],
    ['no URL', JSON.stringify({ ...input, url: 'x' }), 'no URL'],
    ['no addresses', JSON.stringify({ ...input, addresses: [] }), 'no address'],
    ['no limits', JSON.stringify({ ...input, limits: {} }), 'no limits'],
    ['no pace', JSON.stringify({ ...input, pace: { requestsPerSecond: 0, connections: 1 } }), 'no pace'],
    ['ports that are none', JSON.stringify({ ...input, ports: [{ from: 5, to: 4 }] }), 'proper ports'],
    ['half a credential', JSON.stringify({ ...input, credential: { name: 'x' } }), 'whole credential'],
  ])('refuses an input with %s', async (_, text, because) => {
    const { code, lines } = await runOne(async () => undefined, text);
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(because);
  });
});

describe('the program', () => {
  let server: SampleServer;
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-auditor-'));
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  beforeAll(async () => {
    server = await serve((_, response) => sendJson(response, 200, {}));
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  function start(...given: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ['--no-warnings', main, ...given],
        { cwd: folder, timeout: 20_000 },
        (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
        },
      );
    });
  }

  it('audits what its input says', async () => {
    writeFileSync(join(folder, 'input.json'), JSON.stringify(sampleInput(`${server.url}/`)));
    const { code, stdout, stderr } = await start('http', 'input.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('http/no-nosniff');
    expect(stdout.trimEnd().endsWith('{"type":"end"}')).toBe(true);
  });

  it('says what is wrong instead of failing', async () => {
    const { code, stdout, stderr } = await start('constructor', 'input.json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ type: 'note', text: 'there is no auditor called constructor' });
  });
});
