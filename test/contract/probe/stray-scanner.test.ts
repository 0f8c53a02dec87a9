import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from '../../../src/base/process.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import { whyNoNetwork } from '../net/lab.ts';
import { readStrays, strayFiles, strayNames, strayTries } from './stray-scanner.ts';
import { openWorld, outOfScope, target, type World } from './world.ts';

/** The stray scanner where nothing holds it, and where there is nothing: its tries are real, and so are its outcomes. */

const reason = (await whyNoNetwork()) ?? ((await findTool('tcpdump')) === null ? 'tcpdump is not installed' : null);

describe('a scanner that ignores its arguments', () => {
  const tries = strayTries();
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-stray-'));
  const argv = [process.execPath, ...Object.values(strayNames).map((name) => join(folder, name))];
  let world: World;
  beforeAll(async () => {
    if (reason !== null) return;
    for (const { name, content } of strayFiles(tries, { timeoutMs: 600 })) writeFileSync(join(folder, name), content);
    world = await openWorld();
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has many tries, each with its own name', () => {
    expect(tries.length).toBeGreaterThan(180);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(tries.length);
  });

  it('reaches everybody when nobody stops it', async () => {
    const listener = await world.startHostListener();
    const { stdout, stderr, code } = await world.inside(argv, { timeoutMs: 60_000, resolver: true });
    expect({ code, stderr: stderr.toString() }).toEqual({ code: 0, stderr: '' });
    const results = readStrays(stdout, tries);
    const strays = await world.strays();
    const reached = (address: string, protocol: string): boolean =>
      strays.some((stray) => stray.to === address && stray.protocol === protocol);
    for (const address of [...outOfScope, '8.8.8.8', '169.254.169.254', '10.0.0.1', 'fd00:ec2::254']) {
      expect({ address, tcp: reached(address, 'tcp'), udp: reached(address, 'udp') }).toEqual({
        address,
        tcp: true,
        udp: true,
      });
      expect(results.get(tries.find((one) => one.id.endsWith(`${address} 80`))?.id ?? '')?.outcome).toBe('answered');
    }
    expect(reached(outOfScope[0], 'icmp') && reached(outOfScope[2], 'icmpv6')).toBe(true);
    expect(reached('239.255.255.250', 'udp')).toBe(true);
    expect(reached('255.255.255.255', 'udp')).toBe(true);
    expect(results.get('lookup')).toMatchObject({ outcome: 'answered', detail: expect.stringMatching(/66$/) });
    for (const id of ['tcp loopback 127.0.0.1 7777', 'tcp host 203.0.113.1 7777', 'unix @hotcell-stray-listener']) {
      expect(results.get(id)).toMatchObject({ outcome: 'answered' });
    }
    expect(listener.connections()).toBeGreaterThan(5);
    expect(results.get('http foreign host')).toMatchObject({ outcome: 'answered' });
    expect(results.get('tcp other port 2121')?.detail).toContain('vsFTPd');
    expect(world.questions().length).toBeGreaterThan(5);
    const ports = (await world.seen()).filter(({ to }) => to === target.ipv4).map(({ port }) => port);
    expect(ports).toEqual(expect.arrayContaining([80, 443, 2121, 22, 65_535]));
  });

  it('reaches nobody where there is no network', async () => {
    const empty = await runTool('unshare', ['--net', '--', ...argv], { timeoutMs: 60_000 });
    const results = readStrays(empty.stdout, tries);
    // What is a file of this machine is there without a network as well.
    const isFile = ({ id }: { readonly id: string }): boolean => id.startsWith('unix /');
    const reached = [...results.values()].filter(({ outcome }) => outcome === 'answered' || outcome === 'connected');
    expect(reached.filter((one) => !isFile(one))).toEqual([]);
  });

  it('is not believed when it was stopped halfway', () => {
    expect(() => readStrays(Buffer.from('{"id":"lookup","outcome":"refused"}\n'), tries)).toThrow('no outcome for');
  });
});
