import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { hotcell, startHotcellIn } from './hotcell.ts';

/** A server that was registered runs in its box, and is told other hosts while it does. */

const folder = mkdtempSync(join(tmpdir(), 'hotcell-guard-egress-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An address of this machine that means something else than itself inside a box. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const server = `
const { connect } = require('node:net');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params } = JSON.parse(line);
  const { host, port } = params.arguments;
  const answer = (text) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
  const socket = connect({ host, port, autoSelectFamily: false });
  socket.setTimeout(10000, () => socket.destroy(new Error('late')));
  socket.once('data', (chunk) => { answer(String(chunk)); socket.destroy(); });
  socket.once('error', (error) => answer(error.code ?? error.message));
});
`;

const environment = { HOTCELL_HOME: join(folder, 'home'), HOTCELL_RUNTIME_FOLDER: join(folder, 'runtime') };

function tool(name: string, ...flags: readonly string[]): Record<string, unknown> {
  const ran = hotcell(['tool', name, ...flags, '--json'], { environment });
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout) as Record<string, unknown>;
}

describe.skipIf(process.getuid?.() !== 0 || address === undefined)('inject_egress_policy', () => {
  it('opens and closes hosts for a box that runs, and counts what was blocked', async () => {
    const code = join(folder, 'server');
    mkdirSync(code, { mode: 0o755 });
    const file = join(code, 'server.cjs');
    writeFileSync(file, server, { mode: 0o644 });
    const upstream = createServer((socket) => socket.on('error', () => {}).end('hello'));
    await new Promise<void>((resolve) => void upstream.listen(0, address, resolve));
    const listening = upstream.address();
    const port = typeof listening === 'object' && listening !== null ? listening.port : 0;
    const words = ['--server-id', 'caller', '--binary', process.execPath, '--args', file, '--trust-tier', 'LOW'];
    const { subprocessHandle: handle } = tool(
      'register_subprocess',
      ...words,
      '--isolation-profile',
      JSON.stringify({ fsReadOnly: [code] }),
    );
    const child = startHotcellIn(['run', '--backend', 'bwrap', '--registered', String(handle)], { environment });
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let id = 0;
    const call = async (host: string): Promise<string> => {
      id += 1;
      const params = { name: 'connect', arguments: { host, port } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
      const { value = '{}' } = await lines.next();
      const answer = JSON.parse(value) as { result?: { content: { text: string }[] } };
      return answer.result?.content[0]?.text ?? `${value} ${told}`;
    };
    const inject = (...allowed: readonly string[]) =>
      tool(
        'inject_egress_policy',
        '--subprocess-handle',
        String(handle),
        ...allowed.flatMap((each) => ['--allowlist', each]),
      );
    try {
      expect(await call(String(address))).toBe('ECONNRESET');
      expect(inject(`${address}:${port}`)).toMatchObject({ applied: true, state: 'applied', blockedAttempts: 1 });
      expect(await call(String(address))).toBe('hello');
      expect(inject()).toMatchObject({ applied: true, order: 2 });
      expect(await call(String(address))).toBe('ECONNRESET');
      expect(await call('elsewhere.example')).toMatch(/ENOTFOUND|EAI_AGAIN/);
      child.stdin.end();
      await new Promise((resolve) => child.once('close', resolve));
      expect(inject()).toMatchObject({ applied: false, state: 'not-running', blockedAttempts: 3, runningBoxes: [] });
    } finally {
      child.kill('SIGTERM');
      upstream.close();
    }
  });
});
