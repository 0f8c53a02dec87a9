import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { cleanEnvironment, hotcell, program, repository } from './hotcell.ts';
import { type AnyClient, openClient, openNew, openOld, type Place } from './mcp/clients.ts';
import { type Served, serveHttp } from './mcp/served.ts';

/** `hotcell mcp` through real clients. */

const home = mkdtempSync(join(tmpdir(), 'hotcell-mcp-'));
// The user of a box has to pass through to the folder of the boxes.
chmodSync(home, 0o755);
const environment = { HOTCELL_HOME: home };
const token = 'a-token-for-tests-0123456789';
let served: Served;

beforeAll(async () => {
  served = await serveHttp([], { ...environment, MCP_TOKEN: token });
});

afterAll(async () => {
  await served.end();
  rmSync(home, { recursive: true, force: true });
});

const rule = 'taint/command-injection';

const generations: readonly [string, string, (place: Place) => Promise<AnyClient>][] = [
  ['of SDK 2, legacy', '2025-11-25', (place) => openNew('legacy', place)],
  ['of SDK 2, auto', '2026-07-28', (place) => openNew('auto', place)],
  ['of SDK 2, pinned', '2026-07-28', (place) => openNew({ pin: '2026-07-28' }, place)],
  ['of SDK 1', '2025-11-25', openOld],
];

describe.each(['stdio', 'http'])('over %s', (transport) => {
  it.each(generations)('a client %s lists and calls', async (_, version, open) => {
    const client = await open(transport === 'stdio' ? { environment } : { url: served.url, token });
    try {
      expect(client.version).toBe(version);
      expect(await client.tools()).toEqual(expect.arrayContaining(['scan_server', 'analyze_server', 'run_in_box']));
      const result = await client.call('explain_rule', { rule });
      expect(result.structuredContent).toMatchObject({ id: rule });
      expect((await client.call('explain_rule', { rule: 'taint/command-injektion' })).isError).toBe(true);
    } finally {
      await client.close();
    }
  });

  it("the Inspector's command line lists and calls", () => {
    const target =
      transport === 'stdio' ? [program, 'mcp'] : [served.url, '--header', `Authorization: Bearer ${token}`];
    const inspect = (...args: readonly string[]): unknown => {
      const ran = spawnSync(join(repository, 'node_modules', '.bin', 'mcp-inspector'), ['--cli', ...target, ...args], {
        env: cleanEnvironment({ ...environment, HOME: home, PATH: `${repository}/node_modules/.bin:/usr/bin:/bin` }),
        encoding: 'utf8',
        timeout: 170_000,
      });
      expect(ran.status, ran.stderr).toBe(0);
      return JSON.parse(ran.stdout);
    };
    const listed = z
      .object({ tools: z.array(z.object({ name: z.string() })) })
      .parse(inspect('--method', 'tools/list'));
    expect(listed.tools.map(({ name }) => name)).toContain('get_policy');
    const called = inspect('--method', 'tools/call', '--tool-name', 'explain_rule', '--tool-arg', `rule=${rule}`);
    expect(called).toMatchObject({ structuredContent: { id: rule } });
  });
});

describe('the command line', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['a toolset that is not known', ['--tools', 'analyse'], /did you mean analyze/],
    ['a tool that is not known', ['--deny-tool', 'run_in_bx'], /did you mean run_in_box/],
    ['a tool that writes, among those that read', ['--read-only', '--allow-tool', 'run_in_box'], /only reads/],
    ['an address for everybody', ['--transport', 'http', '--http-host', '0.0.0.0'], /there is no token/],
    ['a port without HTTP', ['--http-port', '3000'], /add --transport http/],
    ['a port that is none', ['--transport', 'http', '--http-port', '70000'], /0 to 65535/],
    ['half of a certificate', ['--transport', 'http', '--tls-cert', 'a.pem'], /go together/],
    ['a client that is not known', ['--print-config', 'claude'], /claude-code/],
  ])('refuses %s', (_, args, message) => {
    const ran = hotcell(['mcp', ...args], { environment });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(message);
    expect(ran.stdout).toBe('');
  });

  it('registers nothing that writes when it is told so', async () => {
    const client = await openNew('legacy', { args: ['--read-only', '--deny-tool', 'list_runs'], environment });
    const tools = await client.tools();
    expect(tools).toContain('get_report');
    for (const name of ['run_in_box', 'analyze_server', 'list_runs']) expect(tools).not.toContain(name);
    await expect(client.call('run_in_box', { argv: ['id'] })).rejects.toThrow(/not found/);
    await client.close();
  });

  const snippet = z.record(
    z.enum(['mcpServers', 'servers']),
    z.object({ hotcell: z.object({ command: z.string(), args: z.array(z.string()) }) }),
  );
  it.each(['claude-code', 'claude-desktop', 'cursor', 'vscode'])('prints what %s can start', async (client) => {
    const ran = hotcell(['mcp', '--read-only', '--print-config', client], { environment });
    expect(ran.code, ran.stderr).toBe(0);
    const [entry] = Object.values(
      z.partialRecord(z.enum(['mcpServers', 'servers']), snippet.valueType).parse(JSON.parse(ran.stdout)),
    );
    const started = spawnSync(entry?.hotcell.command ?? '', entry?.hotcell.args ?? [], {
      env: cleanEnvironment(environment),
      input: `${opening}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(started.status, started.stderr).toBe(0);
    expect(started.stdout).toContain('"get_report"');
    expect(started.stdout).not.toContain('"run_in_box"');
  });
});

const opening = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** Boxes in a folder of their own, so that their processes are known by it. */
function ownRuntime(name: string) {
  const folder = join(home, `runtime-${name}`);
  const count = (): number => spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' }).stdout.split('\n').length - 1;
  return { runtime: { ...environment, HOTCELL_RUNTIME_FOLDER: folder }, count };
}

describe('a pipe', () => {
  it('answers what it cannot read, and goes on', () => {
    const lines = [opening, 'garbage', '{"jsonrpc":"2.0"}', '[]', '', 'x'.repeat(5 * 1024 * 1024)];
    const last = JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    const ran = hotcell(['mcp'], { environment, input: `${[...lines, last].join('\n')}\n` });
    expect(ran.code).toBe(0);
    const answers = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32600, -32600, -32600,
    ]);
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
    expect(answers.find(({ id }) => id === 'last')).toMatchObject({ result: {} });
    for (const line of ran.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
  });

  it('serves ten thousand small calls', async () => {
    const client = await openClient('legacy', { args: ['--log-level', 'quiet'], environment });
    let failed = 0;
    for (let round = 0; round < 100; round += 1) {
      const calls = Array.from({ length: 100 }, () => client.callTool({ name: 'job_status', arguments: {} }));
      for (const result of await Promise.all(calls)) failed += result.isError === true ? 1 : 0;
    }
    expect(failed).toBe(0);
    await client.close();
  });

  it('ends what ran when its client vanishes', async () => {
    const { runtime, count } = ownRuntime('pipe');
    const child = spawn(program, ['mcp'], {
      cwd: '/',
      env: cleanEnvironment(runtime),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const call = { name: 'run_in_box', arguments: { argv: ['sleep', '50'], time_limit_seconds: 60 } };
    child.stdin.write(`${opening}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
    await expect.poll(count, { interval: 200 }).toBeGreaterThan(0);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end();
    child.stdout.destroy();
    await exited;
    await expect.poll(count, { timeout: 15_000 }).toBe(0);
  });
});

describe('a port', () => {
  it('lets in nobody without the token, and never tells it', async () => {
    const answer = await fetch(served.url, {
      method: 'POST',
      body: opening,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect((await fetch(served.url.replace('/mcp', '/healthz'))).status).toBe(200);
    await expect.poll(() => served.log.some((line) => line.includes('refused'))).toBe(true);
    expect(served.log.join('\n')).not.toContain(token);
    expect(served.stdout()).toBe('');
  });

  it('serves TLS', async () => {
    const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')];
    const made = spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { encoding: 'utf8' },
    );
    expect(made.status, made.stderr).toBe(0);
    const secure = await serveHttp(['--tls-cert', cert, '--tls-key', key], environment);
    onTestFinished(() => void secure.process.kill('SIGKILL'));
    expect(secure.url).toMatch(/^https:/);
    const asked = spawnSync('curl', ['-sS', '--cacert', cert, secure.url.replace('/mcp', '/healthz')], {
      encoding: 'utf8',
    });
    expect(asked.stdout, asked.stderr).toContain('"ok"');
    await secure.end();
  });

  it('ends with everything that ran, and does not wait for it', async () => {
    const { runtime, count } = ownRuntime('port');
    const own = await serveHttp([], runtime);
    onTestFinished(() => void own.process.kill('SIGKILL'));
    const client = await openClient('auto', { url: own.url });
    const input = { argv: ['sleep', '50'], time_limit_seconds: 60 };
    const call = client.callTool({ name: 'run_in_box', arguments: input }).catch(() => null);
    await expect.poll(count, { interval: 200 }).toBeGreaterThan(0);
    const { code, ms } = await own.end();
    await call;
    expect(code).toBe(143);
    expect(ms).toBeLessThan(20_000);
    expect(count()).toBe(0);
    await client.close().catch(() => {});
  });
});
