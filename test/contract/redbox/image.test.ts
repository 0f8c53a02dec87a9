import { randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mebibyte } from '../../../src/base/limits.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import type { ScanResult } from '../../../src/instruments/probe/contract.ts';
import { scanners } from '../../../src/instruments/probe/scanners/index.ts';
import { weakGraphql, weakJwt, weakMcp, weakToken } from '../../samples/probe/weak-api/planted.ts';
import { repository } from './files.ts';
import { apiPorts, type ImageKind, imageKinds, openWorld, serverPort, type World } from './world.ts';

const api = `http://127.0.0.1:${apiPorts.http}`;

/** What each scanner is asked, and a text that is in its findings when it saw what is planted. */
const scans: Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, string]>> = {
  nmap_scan: [{ target: '127.0.0.1', ports: `80,${apiPorts.http}` }, `"port":${apiPorts.http}`],
  ffuf_discover: [{ url: `${api}/FUZZ` }, '/.env'],
  arjun_params: [{ url: `${api}/api/v1/search` }, '"template_id"'],
  http_probe: [{ url: `${api}/` }, 'http/cors-any-origin'],
  openapi_audit: [{ url: `${api}/` }, '/api/v1/users'],
  tls_audit: [{ target: '127.0.0.1', port: apiPorts.tls }, 'TLSv1.3'],
  graphql_audit: [{ url: `${api}${weakGraphql.path}` }, 'graphql/introspection'],
  jwt_audit: [{ url: `${api}${weakJwt.path}`, token: weakToken() }, 'jwt/'],
  mcp_probe: [{ url: `${api}${weakMcp.path}` }, 'mcp/tools-without-authentication'],
};

async function connect({ docker, image, hardened }: World): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [...docker.start, 'run', ...hardened, image];
  await client.connect(new StdioClientTransport({ command: docker.command, args, stderr: 'ignore' }));
  return client;
}

/** What `key: value` lines of the kernel say. */
function readStatus(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(text.split('\n').map((line) => line.split(/:\s+/, 2) as [string, string]));
}

function testImage(kind: ImageKind): void {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(kind);
  }, kind.timeoutMs);
  afterAll(async () => {
    await world?.close();
  });

  it('has a user without any right, on a disk that is read-only', async () => {
    const status = readStatus(await world.inside('cat', '/proc/self/status'));
    expect(status.Uid?.split('\t')).toEqual(['1000', '1000', '1000', '1000']);
    expect(status.Gid?.split('\t')).toEqual(['1000', '1000', '1000', '1000']);
    const none = '0'.repeat(16);
    const { CapInh, CapPrm, CapEff, CapBnd, CapAmb, NoNewPrivs, Seccomp } = status;
    expect([CapInh, CapPrm, CapEff, CapBnd, CapAmb]).toEqual([none, none, none, none, none]);
    expect([NoNewPrivs, Seccomp]).toEqual(['1', '2']);
    // Where others look closely: /tmp is another disk, and its mount point is all that can be written to.
    const writable = await world.inside('sh', '-c', 'find / -xdev -writable ! -type l 2>/dev/null; true');
    expect(writable.trim().split('\n')).toEqual(['/tmp']);
    const attempts =
      'for at in / /etc /usr /var /run /opt/hotcell /scope /tmp; do touch $at/x 2>/dev/null && echo $at; done; true';
    expect((await world.inside('sh', '-c', attempts)).trim()).toBe('/tmp');
  });

  it('holds no file that lends rights, and nothing of the repository that it does not need', async () => {
    const { docker, image } = world;
    const asRoot = ['run', '--rm', '--network=none', '--user=0', ...kind.mounts(), '--entrypoint=find', image];
    expect(await docker.run([...asRoot, '/', '-xdev', '!', '-type', 'l', '-perm', '/6000'])).toBe('');
    const names = ['.git', '.env', '.npmrc', 'test', '*.test.*'].flatMap((name) => ['-o', '-name', name]).slice(1);
    const ours = ['/opt/hotcell', '-path', '/opt/hotcell/node_modules', '-prune', '-o', '(', ...names, ')', '-print'];
    expect(await docker.run([...asRoot, ...ours])).toBe('');
    const compilers = ['cc', 'gcc', 'g++', 'make', 'npm', 'go', 'sudo']
      .flatMap((name) => ['-o', '-name', name])
      .slice(1);
    expect(await docker.run([...asRoot, '/usr/bin', '/usr/sbin', '/usr/local', ...compilers])).toBe('');
  });

  it('is bounded in processes and memory', async () => {
    const { docker, hardened, image } = world;
    const id = (await docker.run(['create', ...hardened, image])).trim();
    const [{ HostConfig: config }] = JSON.parse(await docker.run(['inspect', id])) as [
      { readonly HostConfig: Readonly<Record<string, unknown>> },
    ];
    await docker.run(['rm', id]);
    expect(config).toMatchObject({
      PidsLimit: 256,
      Memory: 1024 * mebibyte,
      ReadonlyRootfs: true,
      Privileged: false,
      CapAdd: null,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
    });
    const files = '/sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/memory/memory.limit_in_bytes';
    const unified = '/sys/fs/cgroup/pids.max /sys/fs/cgroup/memory.max';
    const kernel = await world.inside('sh', '-c', `cat ${files} 2>/dev/null || cat ${unified}`);
    expect(kernel.trim().split('\n')).toEqual(['256', String(1024 * mebibyte)]);
  });

  it('says what it may scan, and that the host keeps the wire', async () => {
    const { code, stdout } = await world.hotcell('probe', 'scope', '--json');
    const told = JSON.parse(stdout.toString()) as {
      readonly network: string;
      readonly scanners: readonly { readonly name: string; readonly is_available: boolean }[];
    };
    expect([code, told.network]).toEqual([0, 'outside']);
    const available = told.scanners.filter((scanner) => scanner.is_available).map(({ name }) => name);
    expect(available).toEqual(expect.arrayContaining(Object.keys(scans)));
  });

  it('scans on the command line, within the scope alone', async () => {
    const scan = (target: string) => world.hotcell('probe', 'nmap', target, '--ports', `${apiPorts.http}`, '--json');
    const [inScope, outOfScope] = await Promise.all([scan('127.0.0.1'), scan('192.0.2.1')]);
    const result = JSON.parse(inScope.stdout.toString()) as ScanResult;
    expect([inScope.code, result.status, result.network.by]).toEqual([0, 'completed', 'outside']);
    expect(result.findings).toEqual([expect.objectContaining({ port: apiPorts.http, state: 'open' })]);
    expect(outOfScope.code).toBe(2);
    expect(outOfScope.stderr.toString()).toContain('192.0.2.1');
  });

  it('serves its scanners over stdio, and each finds what is planted', async () => {
    const client = await connect(world);
    try {
      const offered = (await client.listTools()).tools.map(({ name }) => name);
      expect(offered).toEqual(expect.arrayContaining(scanners.map(({ name }) => name)));
      const calls = Object.entries(scans).map(async ([name, [input, planted]]) => {
        const { structuredContent } = await client.callTool({ name, arguments: { ...input, wait_seconds: 50 } });
        const { status, network, findings } = structuredContent as unknown as ScanResult;
        return [name, { status, by: network.by, found: JSON.stringify(findings).includes(planted) }];
      });
      const expected = Object.keys(scans).map((name) => [name, { status: 'completed', by: 'outside', found: true }]);
      expect(Object.fromEntries(await Promise.all(calls))).toEqual(Object.fromEntries(expected));
    } finally {
      await client.close();
    }
  });

  it('runs nuclei with templates that were baked in', async ({ skip }) => {
    const program = await findTool('nuclei');
    if (program === null) return skip('there is no nuclei on this machine');
    const templates = `${repository}/test/contract/redbox/templates`;
    const baked = [`--volume=${program}:/usr/local/bin/nuclei:ro`, `--volume=${templates}:/opt/nuclei-templates:ro`];
    const words = ['probe', 'nuclei', `${api}/`, '--preset', 'exposures', '--json'];
    const { docker, hardened, image } = world;
    const result = JSON.parse(await docker.run(['run', ...hardened, ...baked, image, ...words])) as ScanResult;
    expect([result.status, result.network.by]).toEqual(['completed', 'outside']);
    expect(result.findings).toEqual([expect.objectContaining({ matched_at: `${api}/.env` })]);
  });

  it('serves over HTTP those who have the token, and does not start without one', async () => {
    const { docker, hardened, image } = world;
    const words = ['probe', '--transport', 'http', '--http-host', '0.0.0.0', '--http-port', `${serverPort}`];
    const open = await world.hotcell(...words);
    expect([open.code, open.stderr.toString()]).toEqual([2, expect.stringContaining('MCP_TOKEN')]);
    const token = randomBytes(24).toString('hex');
    await docker.run(['run', '--detach', '--name=server', '--env=MCP_TOKEN', ...hardened, image, ...words], {
      environment: { MCP_TOKEN: token },
    });
    try {
      const asked = await world.beside(`
        const ask = (headers) => fetch('http://127.0.0.1:${serverPort}/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {
            protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }),
        });
        const again = async (left) => {
          try { return await ask({}); } catch (error) { if (left === 0) throw error; }
          await new Promise((resolve) => setTimeout(resolve, 100));
          return again(left - 1);
        };
        const statuses = [(await again(200)).status];
        for (const given of ['wrong', '${token}']) statuses.push((await ask({ authorization: 'Bearer ' + given })).status);
        console.log(JSON.stringify(statuses));
      `);
      expect(JSON.parse(asked)).toEqual([401, 401, 200]);
    } finally {
      await docker.try(['rm', '--force', 'server']);
    }
  });
}

describe.each(imageKinds)('$name', (kind) => {
  const reason = kind.whyNot();
  if (reason === null) testImage(kind);
  else it('is not tried', ({ skip }) => skip(reason));
});
