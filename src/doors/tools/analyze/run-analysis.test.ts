import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../../instruments/analyze/run/index.ts';
import type { ToolProgress } from '../contract.ts';
import { openSampleHost, type SampleHost } from '../sample-host.ts';
import { planOne } from './plan-one.ts';
import { followProgress } from './run-analysis.ts';

describe('followProgress', () => {
  it('goes forward only, and keeps within its bounds', () => {
    const told: ToolProgress[] = [];
    const follow = followProgress((progress) => told.push(progress));
    const steps: readonly Progress[] = [
      { kind: 'stage', stage: 'fetch' },
      { kind: 'stage', stage: 'inspect' },
      { kind: 'note', text: 'a server may say anything here' },
      { kind: 'stage', stage: 'attack' },
      { kind: 'trials', made: 5, planned: 10 },
      { kind: 'trials', made: 0, planned: 0 },
      { kind: 'trials', made: 900, planned: 10 },
      { kind: 'tool', name: 'x', number: 1, of: 2 },
      { kind: 'stage', stage: 'judge' },
    ];
    for (const step of steps) follow(step);
    expect(told.map(({ phase }) => phase)).toEqual([
      'fetch',
      'inspect',
      'attack',
      'attack',
      'attack',
      'attack',
      'judge',
    ]);
    const shares = told.map(({ share = -1 }) => share);
    expect(shares).toEqual(shares.toSorted((left, right) => left - right));
    expect(shares.at(-1)).toBeLessThan(1);
    expect(shares[3]).toBeGreaterThan(shares[2] ?? 1);
  });
});

describe('planOne', () => {
  let sample: SampleHost;

  beforeAll(async () => {
    sample = await openSampleHost();
    const { folder } = sample.host;
    mkdirSync(join(folder, 'server'));
    writeFileSync(join(folder, 'server', 'package.json'), '{"name":"x","version":"1.0.0"}');
    const one = { command: 'npx', args: ['-y', 'some-server'] };
    writeFileSync(join(folder, 'one.mcp.json'), JSON.stringify({ mcpServers: { one } }));
    writeFileSync(join(folder, 'two.mcp.json'), JSON.stringify({ mcpServers: { one, two: one } }));
    writeFileSync(join(folder, 'none.mcp.json'), JSON.stringify({ mcpServers: {} }));
  });
  afterAll(() => sample.close());

  const plan = (target?: string, command?: readonly string[]) => {
    const { settings, folder, environment, homeFolder } = sample.host;
    return planOne({ target, command }, { settings, caller: { folder, environment, homeFolder } });
  };

  it.each([
    ['./server', undefined, 'folder'],
    ['npm:some-server@1.0.0', undefined, 'npm'],
    [undefined, ['npx', '-y', 'some-server'], 'command'],
  ])('%j or %j', async (target, command, kind) => {
    expect((await plan(target, command)).planned.target.kind).toBe(kind);
  });

  it.each([
    [undefined, undefined, 'either target or command'],
    ['./server', ['npx'], 'either target or command'],
    [undefined, [], 'either target or command'],
    ['./nowhere', undefined, 'nowhere'],
  ])('refuses %j with %j', async (target, command, message) => {
    await expect(plan(target, command)).rejects.toThrow(message);
  });

  it('takes a config with one server, and no other', async () => {
    expect((await plan('one.mcp.json')).planned.spec).toContain('some-server');
    await expect(plan('two.mcp.json')).rejects.toThrow('names 2 servers');
    await expect(plan('none.mcp.json')).rejects.toThrow('nothing to look at');
  });
});
