import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { findStop, policyLines } from './policy-lines.ts';

const policy: Policy = {
  ...tierPolicy('LOW'),
  files: [
    { path: '/usr', access: 'execute' },
    { path: '/data/root', access: 'read' },
    { path: '/data/root/out', access: 'write' },
    { path: '{work}', access: 'execute' },
  ],
  network: { mode: 'allowlist', rules: [{ host: 'api.example.com', port: 443 }] },
  tools: [{ tool: 'read_file', verdict: 'allow' }],
};

describe('policyLines', () => {
  it('numbers files, network and tools, one after the other', () => {
    expect(policyLines(policy).map(({ number, path, text }) => `${number} ${path} ${text}`)).toEqual([
      '1 files[0] execute /usr',
      '2 files[1] read /data/root',
      '3 files[2] write /data/root/out',
      '4 files[3] execute {work}',
      '5 network.mode network allowlist',
      '6 network.rules[0] connect api.example.com:443',
      '7 tools[0] allow read_file',
    ]);
  });
});

describe('findStop for files', () => {
  it.each([
    ['read', '/data/root/a.txt'],
    ['read', '/data/root/out/a'],
    ['write', '/data/root/out/a'],
    ['execute', '/usr/bin/id'],
    ['read', '/usr/share/x'],
  ] as const)('allows to %s %s', (access, path) => {
    expect(findStop(policy, { is: 'file', access, path })).toBeNull();
  });

  it.each([
    [
      'read',
      '/data/root_outside/a',
      null,
      'no line allows it to read /data/root_outside/a; the nearest is line 2 (read /data/root)',
    ],
    ['read', '/srv/x', null, 'no line allows it to read /srv/x'],
    ['write', '/data/root/a', 2, 'line 2 (read /data/root) does not allow it to write to /data/root/a'],
    ['execute', '/data/root/out/a', 3, 'line 3 (write /data/root/out) does not allow it to run /data/root/out/a'],
  ] as const)('stops what wants to %s %s', (access, path, line, says) => {
    const stopped = findStop(policy, { is: 'file', access, path });
    expect(stopped?.line?.number ?? null).toBe(line);
    expect(stopped?.says).toBe(says);
  });
});

describe('findStop for hosts', () => {
  const none: Policy = { ...policy, network: { mode: 'none', rules: [] } };
  const fake: Policy = { ...policy, network: { mode: 'fake', rules: [] } };

  it('knows what is allowed', () => {
    expect(findStop(policy, { is: 'host', host: 'api.example.com', port: 443 })).toBeNull();
    expect(findStop(fake, { is: 'host', host: 'other.example.com', port: 80 })).toBeNull();
  });

  it.each([
    [
      policy,
      'other.example.com',
      null,
      /no line allows it to connect to other\.example\.com:80; the nearest is line 6/,
    ],
    [policy, 'api.example.com', null, /no line allows it to connect to api\.example\.com:80/],
    [none, 'api.example.com', 5, /line 5 \(network none\) does not allow it/],
  ])('names the line', (given, host, line, says) => {
    const stopped = findStop(given, { is: 'host', host, port: 80 });
    expect(stopped?.line?.number ?? null).toBe(line);
    expect(stopped?.says).toMatch(says);
  });
});
