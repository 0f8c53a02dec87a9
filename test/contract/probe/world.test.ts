import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findTool } from '../../../src/engine/host/index.ts';
import { markers } from '../../samples/probe/weak-api/planted.ts';
import { needTool, whyNoNetwork } from '../net/lab.ts';
import { openWorld, outer, outOfScope, target, targetPorts, type World } from './world.ts';

/** The world itself: what is seen in it is what happened in it. */

const reason = (await whyNoNetwork()) ?? ((await findTool('tcpdump')) === null ? 'tcpdump is not installed' : null);

/** One that has ended may wait for its parent to notice. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the world', () => {
  let world: World;
  beforeAll(async () => {
    if (reason !== null) return;
    world = await openWorld({ names: ['api.example'] });
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => world?.close());

  /** Says a word to an address and tells what comes back. */
  const talk = async (address: string, port: number, seconds = 5): Promise<string> => {
    const script = `
import socket, sys
try:
    s = socket.create_connection((sys.argv[1], int(sys.argv[2])), float(sys.argv[3])); s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); print(s.recv(4096).decode('latin1'))
except OSError as e: print(type(e).__name__)`;
    const { stdout } = await world.inside(['python3', '-c', script, address, String(port), String(seconds)]);
    return stdout.toString().trim();
  };

  it('begins in silence', async () => {
    expect(await world.strays()).toEqual([]);
    for (const address of [...Object.values(target), ...outOfScope]) expect(await world.packetsTo(address)).toBe(0);
  });

  it.each(Object.values(target))('has the target at %s', async (address) => {
    expect(await talk(address, targetPorts.http)).toContain('Apache/2.4.49');
    expect(await talk(address, targetPorts.banner)).toContain('vsFTPd');
    expect(await talk(address, targetPorts.closed)).toBe('ConnectionRefusedError');
    expect(await talk(address, targetPorts.silent, 0.5)).toBe('TimeoutError');
    expect(world.requests().at(-1)).toMatchObject({ method: 'GET', url: '/', isEncrypted: false });
    expect(await world.packetsTo(address)).toBeGreaterThan(5);
    expect(await world.strays()).toEqual([]);
    const ports = (await world.seen()).filter(({ to }) => to === address).map(({ port }) => port);
    expect(ports.sort()).toEqual([2121, 80, 81, 82]);
  });

  it.each([...outOfScope, '8.8.8.8', '169.254.169.254', '10.1.2.3'])('sees what goes to %s', async (address) => {
    expect(await world.packetsTo(address)).toBe(0);
    expect(await talk(address, 4321)).toContain(markers.caught);
    // The last words of a connection may still be under way.
    await expect
      .poll(async () => {
        const [stray, ...others] = (await world.strays()).filter(({ to }) => to === address);
        return { ...stray, others, isCountedToo: stray?.packets === (await world.packetsTo(address)) };
      })
      .toMatchObject({ to: address, protocol: 'tcp', port: 4321, others: [], isCountedToo: true });
    expect(await world.packetsTo(address)).toBeGreaterThan(2);
    expect(world.caught().at(-1)?.bytes).toContain('GET / HTTP/1.0');
  });

  it('answers for names, and tells which were asked for', async () => {
    const ask = async (name: string): Promise<string> => {
      const { stdout } = await world.inside(['getent', 'ahostsv4', name], { resolver: true });
      return stdout.toString().split(/\s/)[0] ?? '';
    };
    expect(await ask('api.example')).toBe(target.ipv4);
    expect(await ask('evil.example')).toBe(outOfScope[0]);
    world.setNames({ 'api.example': ['198.51.100.66'] });
    expect(await ask('api.example')).toBe('198.51.100.66');
    expect(world.questions().map(({ name }) => name)).toEqual(['api.example', 'evil.example', 'api.example']);
  });

  it('has a host with services of its own, which the wire does not see', async () => {
    const listener = await world.startHostListener();
    const api = await world.startOnLoopback();
    const before = (await world.seen()).length;
    expect(await talk('127.0.0.1', api.port)).toContain('Apache/2.4.49');
    expect(await talk('::1', api.bannerPort)).toContain('vsFTPd');
    expect(listener.connections()).toBe(0);
    for (const address of ['127.0.0.1', '::1', ...Object.values(outer)]) {
      expect(await talk(address, listener.port)).toContain(markers.caught);
    }
    expect(listener.connections()).toBe(4);
    expect((await world.seen()).length).toBe(before);
  });

  it('sees a real scanner follow a redirect', async (context) => {
    await needTool(context, 'arjun');
    const words = join(world.folder, 'words');
    writeFileSync(words, 'alpha\nbravo\ncharlie\ndelta\n');
    const before = await world.packetsTo(outOfScope[0]);
    const result = join(world.folder, 'arjun.json');
    const environment = { HOME: world.folder };
    await world.inside(['arjun', '-u', `http://${target.ipv4}/go`, '-w', words, '-oJ', result], { environment });
    expect(await world.packetsTo(outOfScope[0])).toBeGreaterThan(before);
  });

  it('leaves nothing when it cannot be opened', async () => {
    const list = (): readonly string[] =>
      [...readdirSync('/run/netns'), ...readdirSync(tmpdir())].filter((name) => /(probe|hotcell)-world-/.test(name));
    const before = new Set(list());
    await expect(openWorld({ names: ['a\0b'] })).rejects.toThrow('null bytes');
    const left = list().filter((name) => !before.has(name) && name.includes(`-${process.pid}-`));
    expect(left).toEqual([]);
  });

  it('leaves nothing', async () => {
    const other = await openWorld();
    // A program that nobody waits for.
    await other.inside(['sh', '-c', 'setsid sleep 300 >/dev/null 2>&1 &']);
    const pids = other.processes();
    expect(pids.length).toBeGreaterThanOrEqual(4);
    await other.close();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(other.folder)).toBe(false);
    for (const name of Object.values(other.namespaces)) expect(readdirSync('/run/netns')).not.toContain(name);
  });
});
