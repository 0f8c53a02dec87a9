import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from './run-command-line.ts';

async function run(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await runCommandLine(argv, {
    stdin,
    stdout,
    stderr,
    readerGone: new AbortController().signal,
    caller: { environment, folder: '/', homeFolder: '/nonexistent', userId: 1000 },
  });
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

describe('runCommandLine', () => {
  it('answers on stdout', async () => {
    const { code, out, err } = await run(['version', '--json']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ node: process.versions.node });
  });

  it('complains on stderr', async () => {
    expect(await run(['nonsense'])).toMatchObject({ code: 2, out: '' });
    expect((await run(['config'], { HOTCELL_COLOR: 'red' })).err).toMatch(
      /^hotcell: environment: HOTCELL_COLOR: expected one of/,
    );
  });

  it('uses the caller it is given, and nothing else', async () => {
    const { out } = await run(['config', '--json'], { HOTCELL_POLICY: 'HIGH' });
    expect(JSON.parse(out)).toMatchObject({
      policy: { value: 'HIGH' },
      runtimeFolder: { value: '/tmp/hotcell-1000' },
      home: { value: '/nonexistent/.hotcell' },
    });
  });

  it('does not take a flag of the boxed command for its own', async () => {
    const { code, err } = await run(['box', '--policy', '/nonexistent/p.json', '--', 'x', '--debug']);
    expect(code).toBe(2);
    expect(err).not.toMatch(/\n +at /);
  });
});
