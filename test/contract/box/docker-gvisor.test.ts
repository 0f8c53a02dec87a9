import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backends } from '../../../src/engine/box/index.ts';
import { Arena, run } from './arena.ts';

/** An engine that has gVisor: the box takes it, and puts on the filter that this runtime leaves out. */
describe('a docker box with the runsc runtime', () => {
  const arena = new Arena();
  const runtimes = { runsc: { path: '/usr/bin/runsc', runtimeArgs: ['--network=none'] } };
  beforeAll(() => arena.open('docker', { runtimes }));
  beforeEach(async (context) => {
    await arena.need('gvisor', context);
    await arena.need('docker', context);
  });
  afterEach(() => arena.closeBoxes());
  afterAll(() => arena.close());

  it('says so, holds, and runs node', async () => {
    const probed = await backends.find(({ id }) => id === 'docker')?.probe(arena.options);
    expect(probed).toMatchObject({ is: 'yes', value: { notes: expect.arrayContaining(['runtime runsc']) } });
    const box = await arena.box('docker');
    expect(box.record.selfCheck.filter(({ result }) => result !== 'held')).toEqual([]);
    expect(box.record.selfCheck.map(({ id }) => id)).toContain('seccomp');
    const { status, stdout } = await run(box, [
      '/usr/bin/env',
      'node',
      '-e',
      'console.log(require("node:fs").readFileSync("/proc/version", "utf8"))',
    ]);
    expect(status.code).toBe(0);
    expect(stdout).toMatch(/^Linux version 4\.4\.0/);
  });
});
