import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { type LabFlags, labFlagNames, labVariable, repeatLabFlags } from './lab-flags.ts';
import { readLabOptions } from './lab-options.ts';
import { loadSettings } from './load.ts';

const caller = { environment: {}, folder: '/work', homeFolder: '/home/me', userId: 1000 };

async function read(flags: LabFlags, environment: Record<string, string> = {}) {
  const here = { ...caller, environment };
  return readLabOptions(flags, here, await loadSettings({ home: '/nonexistent/home' }, here));
}

describe('the options of a lab', () => {
  it('are usual ones', async () => {
    expect(await read({ mode: 'docker' })).toMatchObject({
      mode: 'docker',
      confinement: 'boxed',
      container: 'remnux',
      containerUser: null,
      user: 'remnux',
      port: 22,
      samplesFolder: '/home/remnux/files/samples',
      outputFolder: '/home/remnux/files/output',
      timeoutMs: 300_000,
      knownHostsFile: '/home/me/.ssh/known_hosts',
      isNewHostAccepted: false,
      isShellAllowed: false,
    });
  });

  it.each<[LabFlags, object]>([
    [{ sandbox: true }, { confinement: 'confined' }],
    [{ sandbox: 'on' }, { confinement: 'confined' }],
    [{ sandbox: 'off' }, { confinement: 'plain' }],
    [{ sandbox: 'box' }, { confinement: 'boxed' }],
    [{ timeout: '0.5e' }, UsageError],
    [{ timeout: '3000000' }, UsageError],
    [{ timeout: '0' }, UsageError],
    [{ timeout: '1.5' }, { timeoutMs: 1500 }],
    [{ mode: 'vm' }, UsageError],
    [{ mode: 'ssh' }, UsageError],
    [{ mode: 'ssh', host: '-oProxyCommand=x' }, UsageError],
    [{ mode: 'ssh', host: 'fe80::1%eth0' }, { host: 'fe80::1%eth0' }],
    [{ mode: 'docker', sandbox: true }, UsageError],
    [{ mode: 'docker', sandbox: true, ingestRoot: 'in' }, { ingestRoot: '/work/in' }],
    [{ container: 'a/b' }, UsageError],
    [{ containerUser: '' }, UsageError],
    [{ user: '-l' }, UsageError],
    [{ port: '65536' }, UsageError],
    [{ samplesDir: 'relative' }, UsageError],
    [{ sandbox: 'maybe' }, UsageError],
    [{ sandbox: 'constructor' }, UsageError],
    [{ rules: ['a', '/b'] }, { rulesFolders: ['/work/a', '/b'] }],
    [{ acceptNew: true }, { isNewHostAccepted: true }],
  ])('%j', async (flags, expected) => {
    if (expected === UsageError) await expect(read(flags)).rejects.toThrow(UsageError);
    else expect(await read(flags)).toMatchObject(expected);
  });

  it('come from variables too, and a flag wins', async () => {
    const environment = {
      [labVariable('mode')]: 'ssh',
      HOTCELL_LAB_HOST: 'a',
      HOTCELL_LAB_PORT: '1',
      HOTCELL_LAB_ACCEPT_NEW: 'yes',
    };
    expect(await read({ port: '2' }, environment)).toMatchObject({
      mode: 'ssh',
      host: 'a',
      port: 2,
      isNewHostAccepted: true,
    });
    await expect(read({}, { HOTCELL_LAB_HOSTS: 'a' })).rejects.toThrow(/unknown setting/);
    await expect(read({}, { HOTCELL_LAB_ACCEPT_NEW: 'perhaps' })).rejects.toThrow(/--accept-new/);
  });

  it('can be said again, without the password', () => {
    const flags: LabFlags = { mode: 'ssh', host: 'a', password: 'p', acceptNew: true, rules: ['x', 'y'] };
    expect(repeatLabFlags(flags)).toEqual([
      '--mode',
      'ssh',
      '--host',
      'a',
      '--accept-new',
      '--rules',
      'x',
      '--rules',
      'y',
    ]);
    expect(new Set(labFlagNames.map(labVariable)).size).toBe(labFlagNames.length);
  });
});
