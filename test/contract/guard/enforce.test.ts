import { lookup } from 'node:dns/promises';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { type BackendId, backends } from '../../../src/engine/box/index.ts';
import { ProbeHome } from './probe.ts';

/** Everything that a policy says, tried from inside the server that it is for. */

const mebibyte = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
/** Backends that a network can be put in front of. */
const withNetwork: readonly BackendId[] = ['bwrap', 'gvisor'];

async function need(backend: BackendId, context: TestContext): Promise<void> {
  const probed = await backends.find(({ id }) => id === backend)?.probe({ runtimeFolder: '/tmp' });
  if (probed?.is !== 'yes') context.skip(probed?.is === 'not-available' ? probed.because : `no ${backend} here`);
}

describe.each(['bwrap', 'landlock', 'gvisor'] as const)('a server in a %s box', (backend) => {
  const home = new ProbeHome();
  const folder = mkdtempSync('/tmp/hotcell-enforce-');
  const paths = { shown: join(folder, 'shown'), kept: join(folder, 'kept'), hidden: join(folder, 'hidden') };
  const hasNetwork = isRoot && withNetwork.includes(backend);
  const name = hostname().toLowerCase();
  let [listed, unlisted]: [Server | null, Server | null] = [null, null];
  let address = '127.0.0.1';

  const listen = async (says: string): Promise<Server> => {
    const server = createServer((socket) => void socket.on('error', () => undefined).end(says));
    await new Promise<void>((resolve) => void server.listen(0, address, resolve));
    return server;
  };
  const portOf = (server: Server | null): number => {
    const found = server?.address();
    return typeof found === 'object' && found !== null ? found.port : 0;
  };

  beforeAll(async () => {
    // As open as a folder can be, so that only the policy stands in the way.
    chmodSync(folder, 0o755);
    for (const path of Object.values(paths)) {
      mkdirSync(path);
      chmodSync(path, 0o777);
      writeFileSync(join(path, 'note'), `a note in ${path}`);
      chmodSync(join(path, 'note'), 0o666);
    }
    address = (await lookup(name, { family: 4 }).catch(() => ({ address }))).address;
    [listed, unlisted] = [await listen('listed'), await listen('unlisted')];
  });
  afterAll(async () => {
    for (const server of [listed, unlisted]) server?.close();
    rmSync(folder, { recursive: true, force: true });
    await home.close();
  });

  it('gets files, network, processes and variables as the policy says, and everything is in the ledger', async (context) => {
    await need(backend, context);
    const hosts = hasNetwork
      ? [
          { host: name, port: portOf(listed) },
          { host: address, port: portOf(listed) },
        ]
      : [];
    const probe = await home.open(backend, {
      flags: {
        read: [paths.shown],
        write: [paths.kept],
        hosts,
        variables: ['API_KEY'],
        limits: { processes: 40, cpuCores: 0.25 },
      },
      environment: { API_KEY: 'given' },
      callerEnvironment: { API_KEY: 'of the caller', OTHER: 'never' },
    });
    const { record, session } = probe.session.server;
    expect(record.backend).toBe(backend);

    expect(await probe.call('read', { path: join(paths.shown, 'note') })).toEqual({ ok: `a note in ${paths.shown}` });
    expect(await probe.call('write', { path: join(paths.shown, 'note'), value: 'x' })).toMatchObject({
      error: expect.any(String),
    });
    expect(await probe.call('write', { path: join(paths.kept, 'note'), value: 'written' })).toEqual({});
    expect(readFileSync(join(paths.kept, 'note'), 'utf8')).toBe('written');
    for (const path of [
      join(paths.hidden, 'note'),
      '/etc/shadow',
      join(home.folder, 'ledger', 'keys'),
      '/root/.bashrc',
    ])
      expect(await probe.call('read', { path })).toMatchObject({
        error: expect.stringMatching(/ENOENT|EACCES|EISDIR/),
      });
    const script = `${(await probe.call<Record<string, string>>('environment')).TMPDIR ?? '/tmp'}/script`;
    expect(await probe.call('write', { path: script, value: '#!/bin/sh\necho run\n' })).toEqual({});
    await probe.call('execute', { path: '/bin/chmod', args: ['755', script] });
    expect(await probe.call('execute', { path: script })).toMatchObject({ error: expect.any(String) });
    expect(await probe.call('execute', { path: '/bin/echo', args: ['run'] })).toEqual({ ok: 'run\n' });

    const environment = await probe.call<Record<string, string>>('environment');
    expect(environment).toMatchObject({ API_KEY: 'given', PATH: '/usr/local/bin:/usr/bin:/bin' });
    expect(Object.keys(environment)).not.toContain('OTHER');
    expect(environment.HOME).not.toBe(process.env.HOME);

    const signal = ['-c', `kill -0 ${process.pid} && echo reached`];
    expect((await probe.call('execute', { path: '/bin/sh', args: signal })).ok).not.toContain('reached');
    // Of a gVisor box the whole sandbox goes when it is out of processes: that is tried below.
    const { started } = await probe.call<{ started: number }>('hold', { count: backend === 'gvisor' ? 10 : 60 });
    expect(started).toBeGreaterThan(0);
    expect(started).toBeLessThan(40);
    // gVisor counts the time of a process in larger steps.
    const { cores } = await probe.call<{ cores: number }>('spin', { ms: 1500 });
    expect(cores).toBeLessThan(backend === 'gvisor' ? 0.9 : 0.6);

    if (hasNetwork) {
      expect(await probe.call('connect', { host: name, port: portOf(listed) })).toEqual({ ok: 'listed' });
      expect(await probe.call('connect', { host: name, port: portOf(unlisted) })).toMatchObject({
        error: expect.any(String),
      });
      expect(await probe.call('look_up', { host: 'unlisted.example' })).toMatchObject({ error: expect.any(String) });
    }
    expect(await probe.call('connect', { host: '192.0.2.77', port: 80 })).toMatchObject({ error: expect.any(String) });
    await probe.close();
    expect(await probe.session.ended).toMatchObject({ reason: 'client-gone', status: { code: 0 } });

    const entries = await home.entries(session);
    expect(entries[0]).toMatchObject({
      action: 'server.start',
      verdict: 'allowed',
      server: 'probe',
      policy: record.fingerprint,
      details: { backend, variables: ['API_KEY'], mode: 'enforce' },
    });
    expect(JSON.stringify(entries)).not.toContain('given');
    expect(entries.at(-1)).toMatchObject({ action: 'server.end', details: { reason: 'client-gone', code: 0 } });
    expect(entries.filter(({ action }) => action === 'tool.call').length).toBeGreaterThan(10);
    if (hasNetwork) {
      const reached = entries.filter(({ action }) => action === 'egress.allow');
      expect(reached).toMatchObject([{ verdict: 'allowed', details: { host: name, port: portOf(listed) } }]);
      const refused = entries.filter(({ action }) => action === 'egress.refuse').map(({ details }) => details?.host);
      expect(refused).toEqual(expect.arrayContaining([name, 'unlisted.example', '192.0.2.77']));
      expect(probe.told.some((line) => line.includes('refused a connection to unlisted.example'))).toBe(true);
    }
  });

  it('is ended at its memory and at its clock, and the ledger says which it was', async (context) => {
    await need(backend, context);
    const eater = await home.open(backend, {
      flags: { limits: { memoryBytes: 128 * mebibyte, diskBytes: 16 * mebibyte } },
    });
    await eater.call('eat', { mebibytes: 1024 });
    const eaten = await eater.session.ended;
    expect(eaten.status.code).not.toBe(0);
    const forker = await home.open(backend, { flags: { limits: { processes: 40 } } });
    await forker.call('hold', { count: 60 });
    await forker.close();
    const sleeper = await home.open(backend, { flags: { limits: { wallMs: 1500 } } });
    const slept = await sleeper.session.ended;
    expect(slept).toMatchObject({ reason: 'limit', status: { limitsHit: [{ limit: 'wallMs' }] } });
    const hits = (await home.entries()).filter(({ action }) => action === 'limit.hit').map(({ rule }) => rule);
    expect(hits).toContain('limits/wallMs');
    // Landlock's own users have a limit of the kernel that refuses without telling.
    if (backend !== 'landlock') expect(hits).toContain('limits/processes');
    // gVisor ends one process inside without telling which limit it was.
    if (backend !== 'gvisor') expect(hits).toContain('limits/memoryBytes');
    expect(await home.verify()).toBe(true);
  });
});

describe('what cannot be kept', () => {
  const home = new ProbeHome();
  afterAll(() => home.close());

  it.each([
    ['a weaker box', { allowedGaps: [] }, 'names-visible'],
    ['a network that is not there', { flags: { hosts: [{ host: 'api.example', port: 443 }] } }, 'network-closed'],
  ])('%s is a refusal that names the gap', async (_, wishes, gap) => {
    await expect(home.open('landlock', wishes)).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringContaining(gap),
      hint: expect.stringContaining(`--allow-gap ${gap}`),
    });
    expect((await home.entries()).at(-1)).toMatchObject({ action: 'server.refuse', verdict: 'refused' });
  });

  it('is started when the gap is accepted, and the ledger says so', async () => {
    const probe = await home.open('landlock', {
      flags: { hosts: [{ host: 'api.example', port: 443 }] },
      allowedGaps: ['names-visible', 'identity', 'network-closed'],
    });
    expect(await probe.call('echo', { value: 'up' })).toBe('up');
    await probe.close();
    const [start] = (await home.entries(probe.session.server.session)).filter(
      ({ action }) => action === 'server.start',
    );
    const gaps = start?.details?.allowedGaps as readonly { id: string }[];
    expect(gaps.map(({ id }) => id).toSorted()).toEqual(['identity', 'names-visible', 'network-closed']);
  });

  it('shows a server nothing of the guard', async () => {
    await expect(home.open('landlock', { flags: { read: [home.folder] } })).rejects.toThrow(/the guard's own/);
  });
});
