import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findTool } from '../../../src/engine/host/index.ts';
import { newRunId, whyNoNetwork } from '../net/lab.ts';
import { readStrays, strayFiles, strayNames, strayTries } from './stray-scanner.ts';
import { type HostListener, openWorld, target, targetPorts, type World } from './world.ts';

/** The network layer of a scope by itself: whatever a program tries, only the aim hears of it. */

const reason = (await whyNoNetwork()) ?? ((await findTool('tcpdump')) === null ? 'tcpdump is not installed' : null);
const program = fileURLToPath(new URL('through-gate.ts', import.meta.url));

describe('the gate', () => {
  let world: World;
  let listener: HostListener;
  beforeAll(async () => {
    if (reason !== null) return;
    world = await openWorld();
    listener = await world.startHostListener();
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => world?.close());

  it.each(Object.values(target))('lets nothing but %s through', async (address) => {
    const before = (await world.seen()).map(({ to }) => to);
    expect(before).not.toContain(address);
    const tries = strayTries({ aim: { address, port: targetPorts.http } });
    for (const { name, content } of strayFiles(tries, { timeoutMs: 700 })) {
      writeFileSync(join(world.folder, name), content);
    }
    const files = Object.values(strayNames).map((name) => join(world.folder, name));
    const aim = [address, String(targetPorts.http)];
    const gated = [process.execPath, program, newRunId(), ...aim, process.execPath, ...files];
    const { stdout, stderr, code } = await world.inside(gated, { timeoutMs: 90_000 });
    expect({ code, stderr: stderr.toString() }).toEqual({ code: 0, stderr: '' });
    const results = readStrays(stdout, tries);

    expect(await world.strays()).toEqual([]);
    expect(world.questions()).toEqual([]);
    expect(world.caught()).toEqual([]);
    expect(listener.connections()).toBe(0);
    // It was no silence: what went to the aim arrived there, at its one port.
    expect(results.get('http foreign host')).toMatchObject({ outcome: 'answered' });
    const reached = (await world.seen()).filter(({ to }) => to === address);
    expect(reached).toEqual([{ to: address, protocol: 'tcp', port: targetPorts.http, packets: expect.any(Number) }]);
  });
});
