import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { runTool } from '../../../src/base/process.ts';
import {
  cleanNetworks,
  findLeftoverNamespaces,
  NetworkNamespaces,
  namespaceNames,
  removeNamespaces,
} from '../../../src/engine/net/index.ts';
import { Lab, needNetwork, newRunId } from './lab.ts';

/** Tries to connect, prints `connected` or the reason why not. */
const connector = (address: string, port: number): string => `
import { connect } from 'node:net';
const socket = connect({ host: ${JSON.stringify(address)}, port: ${port}, timeout: 1500 });
socket.on('connect', () => { console.log('connected'); socket.destroy(); });
socket.on('timeout', () => { console.log('timeout'); socket.destroy(); });
socket.on('error', (error) => console.log(error.code));
`;

const node = (script: string): readonly string[] => [process.execPath, '--input-type=module', '-e', script];

describe('the two namespaces', () => {
  const opened: NetworkNamespaces[] = [];
  beforeEach((context) => needNetwork(context));
  afterAll(async () => {
    for (const each of opened) await each.close();
  });

  async function open(): Promise<NetworkNamespaces> {
    const made = await NetworkNamespaces.create(newRunId());
    opened.push(made);
    return made;
  }

  async function links(argv: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await runTool('ip', argv);
    return (JSON.parse(stdout.toString()) as { ifname: string }[]).map(({ ifname }) => ifname);
  }

  it('have nothing but lo and the wire between them', async () => {
    const made = await open();
    expect(await links(made.inRouter(['ip', '-json', 'link']))).toEqual(['lo', 'wire']);
    expect(await links(made.inBox(['ip', '-json', 'link']))).toEqual(['lo', 'eth0']);
  });

  it('cannot reach a listener of the host, from the box or from the router', async () => {
    const made = await open();
    const server = createServer((socket) => void socket.on('error', () => undefined).end('host'));
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => void server.listen(0, '::', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map((item) => item.address));
      const asked = [...new Set(['127.0.0.1', '::1', ...own])].filter((each) => !each.startsWith('fe80'));
      // The host itself reaches it: the attempts below fail because of where they are made.
      const fromHost = await runTool(process.execPath, ['--input-type=module', '-e', connector('127.0.0.1', port)]);
      expect(fromHost.stdout.toString().trim()).toBe('connected');
      for (const target of asked) {
        for (const lead of [made.inRouter, made.inBox]) {
          const { stdout } = await runTool('ip', lead.call(made, node(connector(target, port))));
          expect(stdout.toString().trim()).toMatch(/^(ECONNREFUSED|timeout|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/);
        }
      }
      expect(connections).toBe(1);
    } finally {
      server.close();
    }
  });

  it('forward nothing', async () => {
    const made = await open();
    const { stdout } = await runTool(
      'ip',
      made.inRouter(['cat', '/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding']),
    );
    expect(stdout.toString()).toBe('0\n0\n');
    const rules = await runTool('ip', made.inRouter(['nft', 'list', 'ruleset']));
    expect(rules.stdout.toString()).toMatch(/hook forward priority filter; policy drop/);
  });

  it('are removed by close, and found by their name when nobody closed them', async () => {
    const runId = newRunId();
    const made = await NetworkNamespaces.create(runId);
    const names = namespaceNames(runId);
    const mine = async () => (await findLeftoverNamespaces((id) => id !== runId)).toSorted();
    expect(await mine()).toEqual([names.box, names.router].toSorted());
    expect(await findLeftoverNamespaces(() => true)).toEqual([]);
    await removeNamespaces(await mine());
    expect(await mine()).toEqual([]);
    await made.close();
  });

  it('are found again when the process that made them was killed', async () => {
    const runId = newRunId();
    const source = new URL('../../../src/engine/net/index.ts', import.meta.url).href;
    const script = `const { NetworkNamespaces } = await import(${JSON.stringify(source)});
      await NetworkNamespaces.create(${JSON.stringify(runId)}); process.kill(process.pid, 'SIGKILL');`;
    await runTool(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
    const { box, router } = namespaceNames(runId);
    const alive = await NetworkNamespaces.create(newRunId());
    const removed = await cleanNetworks();
    expect(removed).toEqual(expect.arrayContaining([router, box]));
    expect(removed).not.toContain(alive.names.box);
    expect(await findLeftoverNamespaces((id) => id !== runId)).toEqual([]);
    expect(await cleanNetworks()).not.toContain(router);
    await alive.close();
  });

  it('leave nothing behind when the name is taken', async () => {
    const made = await open();
    const runId = made.names.box.replace(/^hotcell-(.*)-box$/, '$1');
    await expect(NetworkNamespaces.create(runId)).rejects.toThrow(/File exists/);
    expect(await links(made.inBox(['ip', '-json', 'link']))).toEqual(['lo', 'eth0']);
  });
});

describe('namespaceNames', () => {
  it.each(['', 'A', 'a/b', '../x', 'a b', '-a', 'a'.repeat(64), 'a\n'])('refuses %j', (runId) => {
    expect(() => namespaceNames(runId)).toThrow(UsageError);
  });
});

describe('the router process', () => {
  const lab = new Lab();
  beforeEach((context) => needNetwork(context));
  afterAll(() => lab.close());

  it('has given up root and every capability', async () => {
    const internet = await lab.open();
    const { stdout } = await runTool('cat', [`/proc/${internet.routerPid}/status`]);
    expect(stdout.toString()).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
    expect(stdout.toString()).toMatch(/^CapEff:\t0{16}$/m);
    expect(stdout.toString()).toMatch(/^CapPrm:\t0{16}$/m);
  });
});
