import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asObject, asString } from '../../src/base/json-shape.ts';
import { backends } from '../../src/engine/box/index.ts';
import { publicKeyText, readEntries, type StoredEntry, verifyLedger } from '../../src/engine/ledger/index.ts';
import { until } from '../until.ts';
import { cleanEnvironment, hotcell, program, repository } from './hotcell.ts';
import { findBoxes, findTraces } from './traces.ts';

/** `hotcell run` in front of a server, used by real clients. */

const server = join(repository, 'test/samples/guard/probe-server.js');
const folder = mkdtempSync('/tmp/hotcell-run-');
/** The server does not look at its last word: it tells our processes from those of others. */
const command = [process.execPath, server, folder];
const [home, runtimeFolder] = [join(folder, 'home'), join(folder, 'runtime')];
const environment = cleanEnvironment({ HOTCELL_HOME: home, HOTCELL_RUNTIME_FOLDER: runtimeFolder });

function words(...flags: readonly string[]): string[] {
  return ['run', '--backend', 'bwrap', '--name', 'probe', ...flags, '--', ...command];
}

async function ledgerEntries(): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const { entry } of readEntries(join(home, 'ledger'))) entries.push(entry);
  return entries;
}

function textOf(result: object): string {
  const content = 'content' in result && Array.isArray(result.content) ? (result.content as unknown[]) : [];
  return asString(asObject(content[0]).text) ?? '';
}

beforeAll(() => chmod(folder, 0o711));
beforeEach(async (context) => {
  const probed = await backends.find(({ id }) => id === 'bwrap')?.probe({ runtimeFolder });
  if (probed?.is !== 'yes') context.skip('no bwrap here');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('hotcell run', () => {
  it('is the server to a client: list, call, progress, cancellation, requests of the server', async () => {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {}, sampling: {} } });
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///srv/root', name: 'root' }] }));
    client.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant',
      model: 'none',
      content: { type: 'text', text: 'a word' },
    }));
    const transport = new StdioClientTransport({ command: program, args: words(), env: environment, stderr: 'pipe' });
    let stderr = '';
    transport.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'slow', 'roots']));
    expect(textOf(await client.callTool({ name: 'echo', arguments: { value: 'ünï\u{1F600}' } }))).toBe('ünï\u{1F600}');
    expect(textOf(await client.callTool({ name: 'roots', arguments: {} }))).toContain('file:///srv/root');
    expect(textOf(await client.callTool({ name: 'sample', arguments: {} }))).toContain('a word');
    expect(textOf(await client.callTool({ name: 'big', arguments: { bytes: 3_000_000 } }))).toHaveLength(3_000_000);

    const steps: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }): void => void steps.push(progress);
    expect(textOf(await client.callTool({ name: 'slow', arguments: { ms: 300 } }, { onprogress }))).toBe(
      'slow is done',
    );
    expect(steps).toContain(1);
    const cancel = new AbortController();
    const cancelled = client.callTool({ name: 'slow', arguments: { ms: 20_000 } }, { signal: cancel.signal });
    await sleep(100);
    cancel.abort();
    await expect(cancelled).rejects.toThrow();
    let heard = '';
    for (let tries = 0; tries < 50 && heard !== '1'; tries += 1)
      heard = textOf(await client.callTool({ name: 'was_cancelled', arguments: {} }));
    expect(heard).toBe('1');

    await client.callTool({ name: 'complain', arguments: { value: 'a word on stderr' } });
    expect(await until(() => stderr.includes('a word on stderr'))).toBe(true);
    expect(stderr).toMatch(/^hotcell: probe: bwrap box, policy LOW \([0-9a-f]{12}\), mode enforce$/m);
    const boxes = findBoxes(runtimeFolder);
    expect(boxes).toHaveLength(1);
    await client.close();
    expect(await until(() => findTraces(runtimeFolder, boxes).length === 0)).toBe(true);
  });

  it('refuses with an error that names the rule, and the ledger is intact afterwards', async () => {
    const policy = join(folder, 'policy.json');
    writeFileSync(
      policy,
      JSON.stringify({
        version: 1,
        extends: 'LOW',
        limits: { wallMs: 600_000 },
        tools: [{ tool: 'echo', verdict: 'allow' }],
      }),
    );
    const client = new OldClient({ name: 'test', version: '1' }, { capabilities: {} });
    await client.connect(
      new OldTransport({ command: program, args: words('--policy', policy), env: environment, stderr: 'ignore' }),
    );
    expect(textOf(await client.callTool({ name: 'echo', arguments: { value: 'one' } }))).toBe('one');
    await expect(client.callTool({ name: 'read', arguments: { path: '/etc/passwd' } })).rejects.toMatchObject({
      code: expect.any(Number),
      message: expect.stringMatching(/tools\//),
    });
    await client.close();
    const ended = async (): Promise<StoredEntry | undefined> =>
      (await ledgerEntries()).findLast(({ action }) => action === 'server.end');
    const before = (await ledgerEntries()).findLast(({ action }) => action === 'server.start')?.session;
    for (let tries = 0; tries < 1000 && (await ended())?.session !== before; tries += 1) await sleep(50);
    const entries = (await ledgerEntries()).filter(({ session }) => session === before);
    expect(entries[0]).toMatchObject({ action: 'server.start', server: 'probe', verdict: 'allowed' });
    expect(entries.filter(({ verdict }) => verdict === 'refused')).toMatchObject([
      { action: 'tool.call', rule: expect.stringMatching(/^tools\//), details: { tool: 'read' } },
    ]);
    expect(entries.at(-1)).toMatchObject({ action: 'server.end', details: { reason: 'client-gone' } });
    const keys = await publicKeyText(join(home, 'ledger'));
    expect(await verifyLedger(join(home, 'ledger'), { publicKeys: [keys] })).toMatchObject({
      isIntact: true,
      first: null,
    });
  });

  it('takes the server with it when it is killed, and leaves nothing behind', async () => {
    const guard = spawn(program, words(), { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { value: 'up' } } };
    const answered = new Promise((resolve) => guard.stdout.once('data', resolve));
    guard.stdin.write(`${JSON.stringify(call)}\n`);
    await answered;
    const boxes = findBoxes(runtimeFolder);
    expect(boxes).toHaveLength(1);
    const gone = new Promise((resolve) => guard.once('exit', resolve));
    guard.kill('SIGKILL');
    await gone;
    expect(await until(() => findTraces(runtimeFolder, boxes).length === 0)).toBe(true);
    expect(serverProcesses()).toEqual([]);
  });

  it.each([
    ['the code of a server that ends by itself', 'exit', { code: 7 }, false, 7],
    ['0 when the client has gone', 'echo', { value: 'x' }, true, 0],
  ])('ends with %s', async (_, tool, given, isClosed, code) => {
    const guard = spawn(program, words(), { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    const gone = new Promise((resolve) => guard.once('exit', resolve));
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } };
    guard.stdin.write(`${JSON.stringify(call)}\n`);
    if (isClosed) guard.stdin.end();
    const [answer] = await guard.stdout.toArray();
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1 });
    expect(await gone).toBe(code);
  });

  it.each([
    ['an unknown policy', ['run', '--policy', 'MEDUIM', '--', ...command], 2, /cannot read the policy "MEDUIM"/],
    ['no command', ['run'], 2, /the command of the server is missing/],
    ['a command that is not there', ['run', '--', '/nonexistent/server'], 2, /nonexistent/],
    ['an unknown mode', ['run', '--mode', 'enforse', '--', ...command], 2, /did you mean enforce/],
    ['a path that is not there', ['run', '--read', '/nonexistent/path', '--', ...command], 2, /ENOENT/],
    ['a root of everything', ['run', '--write', '/', '--', ...command], 2, /not shown to a box/],
    ['a limit that is none', ['run', '--limit', 'memory=1', '--', ...command], 2, /--limit/],
    [
      'a box that is weaker than the policy',
      ['run', '--backend', 'landlock', '--', ...command],
      4,
      /--allow-gap names-visible --allow-gap identity/,
    ],
    ['a registered subprocess that is none', ['run', '--registered', 'sp_x'], 2, /no subprocess is registered/],
  ])('says nothing on stdout for %s', (_, args, code, words) => {
    const ran = hotcell(args, { environment: { HOTCELL_HOME: home, HOTCELL_RUNTIME_FOLDER: runtimeFolder } });
    expect([ran.code, ran.stdout], ran.stderr).toEqual([code, '']);
    expect(ran.stderr).toMatch(words);
  });

  it('learns a policy, holds the server to it, and reports what is new under it', async () => {
    const policy = join(folder, 'learnt.json');
    const data = mkdtempSync('/tmp/hotcell-run-data-');
    await chmod(data, 0o755);
    for (const name of ['one', 'two']) {
      writeFileSync(join(data, name), `the file ${name}`);
      await chmod(join(data, name), 0o644);
    }
    const run = (flags: readonly string[], ...calls: readonly (readonly [string, object])[]) => {
      const lines = calls.map(([name, given], at) =>
        JSON.stringify({ jsonrpc: '2.0', id: at + 1, method: 'tools/call', params: { name, arguments: given } }),
      );
      return hotcell(words(...flags), {
        environment: { HOTCELL_HOME: home, HOTCELL_RUNTIME_FOLDER: runtimeFolder },
        input: `${lines.join('\n')}\n`,
      });
    };
    const read = (name: string) => ['read', { path: join(data, name) }] as const;
    const learning = run(['--mode', 'learn', '--policy', 'LOW', '--read', data, '--learn-to', policy], read('one'));
    expect(learning.code, learning.stderr).toBe(0);
    expect(learning.stderr).toContain(`learnt: ${policy}`);
    const learnt = JSON.parse(readFileSync(policy, 'utf8')) as { files: { path: string }[]; tools: { tool: string }[] };
    const paths = learnt.files.map(({ path }) => path);
    expect(paths).toContain(join(data, 'one'));
    expect(paths.filter((path) => path.startsWith(dirname(server)))).toEqual([]);
    expect(learnt.tools).toMatchObject([{ tool: 'read', verdict: 'allow' }]);
    const held = run(['--policy', policy], read('one'), read('two'), ['echo', { value: 'x' }]);
    expect(held.stdout).toContain('the file one');
    expect(held.stdout).not.toContain('the file two');
    expect(held.stdout).toContain('tools/');
    writeFileSync(policy, JSON.stringify({ ...learnt, tools: [...learnt.tools, { tool: 'echo', verdict: 'allow' }] }));
    const drifting = run(['--policy', policy], ['echo', { value: 'x' }], ['echo', { value: 'y' }]);
    expect(drifting.stderr.match(/drift: the policy allows the tool echo/g)).toHaveLength(1);
    rmSync(data, { recursive: true, force: true });
  });
});

/** Processes of this machine that run the sample for this file. */
function serverProcesses(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((name) => {
      try {
        const [first, second, third] = readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0');
        return first === process.execPath && second === server && third === folder;
      } catch {
        return false;
      }
    });
}
