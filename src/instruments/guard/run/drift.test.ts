import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { Drift } from './drift.ts';

const seenIn = ['event:1'];
const learnt: Policy = {
  ...tierPolicy('LOW'),
  files: [
    { path: '/usr', access: 'execute', seenIn },
    { path: '/srv/data', access: 'read', seenIn },
    { path: '/srv/more', access: 'write', why: 'added by hand' },
  ],
  network: {
    mode: 'allowlist',
    rules: [
      { host: 'api.example', port: 443, seenIn },
      { host: '.example', port: 443, why: 'added by hand' },
    ],
  },
  tools: [
    { tool: 'read', verdict: 'allow', seenIn },
    { tool: 'delete', verdict: 'allow', why: 'added by hand' },
  ],
};
const own = { own: ['/opt/server'], boxFolders: ['/home/box', '/srv'] };

describe('Drift', () => {
  it.each([
    ['a host that was seen', (drift: Drift) => drift.host('api.example', 443), null],
    ['another host that the policy allows', (drift: Drift) => drift.host('new.example', 443), 'new.example:443'],
    ['another port', (drift: Drift) => drift.host('api.example', 80), 'api.example:80'],
    ['a tool that was called before', (drift: Drift) => drift.tool('read'), null],
    ['a tool that nobody called', (drift: Drift) => drift.tool('delete'), 'delete'],
    ['a program of a folder that was used', (drift: Drift) => drift.program('/usr/bin/curl'), null],
    ['a program elsewhere', (drift: Drift) => drift.program('/srv/more/tool'), '/srv/more/tool'],
    ['a file that was read', (drift: Drift) => drift.file('/srv/data/x', 'read'), null],
    ['a write where only reading was seen', (drift: Drift) => drift.file('/srv/data/x', 'write'), 'write /srv/data/x'],
    ['a file of the server itself', (drift: Drift) => drift.file('/opt/server/x.js', 'read'), null],
    ['a file of the box', (drift: Drift) => drift.file('/home/box/x', 'write'), null],
    [
      'a file of the host that is shown in a folder of the box',
      (drift: Drift) => drift.file('/srv/more/x', 'write'),
      'write /srv/more/x',
    ],
    ['a file of the kernel', (drift: Drift) => drift.file('/proc/self/maps', 'read'), null],
  ])('%s', (_, look, what) => {
    expect(look(new Drift(learnt, own))?.what ?? null).toBe(what);
  });

  it('goes by single programs where the evidence names them', () => {
    const policy = {
      ...learnt,
      files: [...learnt.files, { path: '/usr/bin/node', access: 'execute' as const, seenIn }],
    };
    const drift = new Drift(policy, own, (path) => path === '/usr/bin/node');
    expect(drift.program('/usr/bin/node')).toBeNull();
    expect(drift.program('/usr/bin/curl')?.what).toBe('/usr/bin/curl');
  });

  it('tells every fact once', () => {
    const drift = new Drift(learnt, own);
    expect(drift.host('new.example', 443)).not.toBeNull();
    expect(drift.host('new.example', 443)).toBeNull();
  });

  it('has nothing to drift from where nothing was learnt', () => {
    const drift = new Drift(tierPolicy('HIGH'), own);
    expect([drift.host('any.example', 443), drift.tool('any'), drift.file('/srv/x', 'read')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
