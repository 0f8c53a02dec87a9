import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../../base/errors.ts';
import { predicates } from '../../../instruments/guard/command-shapes/index.ts';
import { openRegistry, watchEgress } from '../../../instruments/guard/registry/index.ts';
import { ledgerFolder } from '../../settings/index.ts';
import { openGuardStore } from './guard-store.ts';
import { guardToolset } from './index.ts';
import { openSampleGuard, registration, type SampleGuard } from './sample-guard.ts';
import { replayedAttacks } from './scan-cve-replay.ts';

let guard: SampleGuard;
beforeEach(async () => {
  guard = await openSampleGuard();
});
afterEach(() => guard.close());
const ask: SampleGuard['ask'] = (name, input) => guard.ask(name, input);
const answer: SampleGuard['answer'] = (...given) => guard.answer(...given);

const actions = async (input: object = {}): Promise<readonly string[]> =>
  (await ask('get_audit_log', input)).entries.map(({ action, verdict }) => `${action} ${verdict}`);

describe('register_subprocess and audit_subprocess', () => {
  it('give a handle, the policy and what it becomes; then say yes to that alone, all in the ledger', async () => {
    const registered = await ask('register_subprocess', registration);
    expect(registered.subprocessHandle).toMatch(/^sp_[0-9a-f]{24}$/);
    expect(registered.profileFingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(registered.policy)).toMatchObject({ tier: 'MEDIUM', limits: { memoryBytes: 256 * 1024 * 1024 } });
    expect(registered.policyDescriptors.map(({ target }) => target)).toEqual([
      'landlock',
      'bwrap',
      'cgroup',
      'seatbelt',
    ]);
    const { subprocessHandle } = registered;
    const audit = (more: object) =>
      ask('audit_subprocess', { subprocessHandle, requestedArgs: registration.args, ...more });
    expect(await audit({})).toMatchObject({ verdict: 'approve', policyFingerprint: registered.policyFingerprint });
    expect(await audit({ requestedBinary: 'bash' })).toMatchObject({ verdict: 'block' });
    expect(await audit({ requestedBinary: 'nod\u200be' })).toMatchObject({ verdict: 'quarantine' });
    expect(await actions({ subprocessHandle })).toEqual([
      'subprocess.audit refused',
      'subprocess.audit refused',
      'subprocess.audit allowed',
      'subprocess.register allowed',
    ]);
    const written = readdirSync(ledgerFolder(guard.home))
      .filter((name) => name.startsWith('entries-'))
      .map((name) => readFileSync(join(ledgerFolder(guard.home), name), 'utf8'));
    expect(written.join('')).toContain(subprocessHandle);
    expect(written.join('')).not.toContain('very-secret-value');
  });

  it('keep handles over a restart', async () => {
    const { subprocessHandle } = await ask('register_subprocess', registration);
    await guard.restart();
    const again = await ask('audit_subprocess', { subprocessHandle, requestedArgs: registration.args });
    expect(again).toMatchObject({ verdict: 'approve' });
  });

  it.each([
    ['a host that is none', { isolationProfile: { egressAllowlist: ['not a host'] } }, 'rules'],
    ['an invisible character', { binary: 'no\u200bde' }, 'cannot be seen'],
    ['a tier that there is not', { trustTier: 'HUGE' }, 'trustTier'],
    ['too many arguments', { args: Array.from({ length: 257 }, () => 'x') }, 'args'],
    ['a field that there is not', { surprise: true }, 'surprise'],
  ])('refuse %s, and keep nothing', async (_, change, why) => {
    const { isError, text } = await answer('register_subprocess', { ...registration, ...change });
    expect(isError).toBe(true);
    expect(text).toContain(why);
    using store = openGuardStore(guard.home);
    expect(openRegistry(store).list()).toEqual([]);
  });

  it('say which handle there is not', async () => {
    const subprocessHandle = 'sp_000000000000000000000000';
    for (const [name, more] of [
      ['audit_subprocess', { requestedArgs: [] }],
      ['inject_egress_policy', {}],
      ['get_audit_log', {}],
    ] as const) {
      const { isError, text } = await answer(name, { subprocessHandle, ...more });
      expect([isError, text]).toEqual([true, expect.stringContaining('no subprocess is registered')]);
    }
  });
});

describe('a ledger that cannot be written', () => {
  const broken = async (): Promise<void> => {
    throw new HostError('the disk is full');
  };

  it('fails every call that would have had to tell it, and nothing is changed', async () => {
    const { subprocessHandle } = await ask('register_subprocess', registration);
    const calls: readonly (readonly [string, object])[] = [
      ['register_subprocess', registration],
      ['audit_subprocess', { subprocessHandle, requestedArgs: registration.args }],
      ['scan_cve_replay', { targetServerCommand: 'node server.js' }],
      ['track_canary', { chainId: 'c', sourceServerId: 'a', downstreamServerIds: ['b'] }],
      ['inject_egress_policy', { subprocessHandle, allowlist: ['*'] }],
    ];
    const writing = guardToolset.tools.filter(({ annotations }) => !annotations.readOnly).map(({ name }) => name);
    expect(calls.map(([name]) => name).toSorted()).toEqual(writing.toSorted());
    for (const [name, input] of calls) {
      const { isError, text } = await answer(name, input, broken);
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining('the disk is full')]);
    }
    using store = openGuardStore(guard.home);
    const registry = openRegistry(store);
    expect(registry.list()).toHaveLength(1);
    expect(registry.egressOf(subprocessHandle).order).toBeNull();
  });
});

describe('scan_cve_replay', () => {
  it('knows the names of the table of shapes', () => {
    expect([...replayedAttacks].toSorted()).toEqual(predicates.map(({ id }) => id).toSorted());
  });

  it.each([
    ['node server.js -p 3000 --url "https://a.example/?a=1&b=2"', 'pass'],
    ['docker run -v /:/host alpine', 'fail'],
  ])('%s: %s', async (targetServerCommand, overall) => {
    const told = await ask('scan_cve_replay', { targetServerCommand });
    expect(told.overall, JSON.stringify(told.shapes)).toBe(overall);
    expect(told.perCve.map(({ id }) => id)).toEqual([...replayedAttacks]);
    expect(told.shapes.length > 0).toBe(overall === 'fail');
  });

  it('looks at what it was asked for alone', async () => {
    const input = { targetServerCommand: 'python3.11 -c "print(1)"' };
    const [one, other] = await Promise.all(
      ['nginx-mcp-rce-9.8', 'mcp-interpreter-eval-rce'].map((id) => ask('scan_cve_replay', { ...input, cveSet: [id] })),
    );
    expect(one).toMatchObject({ overall: 'pass', perCve: [{ id: 'nginx-mcp-rce-9.8', status: 'pass' }] });
    expect(other).toMatchObject({ overall: 'fail', perCve: [{ status: 'fail' }] });
  });

  it('ends in time, and then nothing has passed', async () => {
    const told = await ask('scan_cve_replay', { targetServerCommand: 'node server.js', timeoutMs: 1 });
    expect(told.overall).toBe('fail');
    expect(new Set(told.perCve.map(({ status }) => status))).toEqual(new Set(['skipped']));
    expect(await actions()).toEqual(['command.check refused']);
  });
});

describe('track_canary', () => {
  const chain = { chainId: 'mail-to-web', sourceServerId: 'mail', downstreamServerIds: ['web'] };

  it('finds its token in texts and files, in disguises, and nowhere else', async () => {
    const first = await ask('track_canary', chain);
    expect(first).toMatchObject({ leakDetected: false, leakLocations: [] });
    expect(first.canaryToken).toMatch(/^__MCP_CANARY_[0-9a-f]{64}__$/);
    const token = first.canaryToken;
    const cache = join(guard.home, 'cache');
    mkdirSync(cache);
    writeFileSync(join(cache, 'page.gz'), gzipSync(`before ${token} after`));
    const found = await ask('track_canary', {
      ...chain,
      streams: [
        { serverId: 'web', channel: 'network-egress', text: `GET /?q=${Buffer.from(token).toString('base64')}` },
        { serverId: 'mail', channel: 'stdout', text: `its own ${token}` },
        { serverId: 'web', channel: 'stdout', text: 'nothing here' },
      ],
      files: [{ serverId: 'disk', path: cache }],
    });
    expect(found).toMatchObject({ canaryToken: token, leakDetected: true, searchedFiles: 1, unsearchedFiles: 0 });
    // The same bytes may be read as gzip and as the deflate inside of it: one place, told for each.
    const places = new Set(found.leakLocations.map(({ serverId, channel }) => `${serverId} ${channel}`));
    expect([...places].toSorted()).toEqual(['disk files', 'web network']);
    // What was found stays known.
    expect(await ask('track_canary', chain)).toMatchObject({ leakDetected: true });
    expect(await ask('track_canary', { ...chain, chainId: 'another' })).toMatchObject({ leakDetected: false });
    const { entries } = await ask('get_audit_log', {});
    const actions = entries.map(({ action }) => action);
    const leaks = found.leakLocations.map(() => 'canary.leak');
    expect(actions).toEqual(['canary.track', ...leaks, 'canary.track']);
    expect(JSON.stringify(entries)).not.toContain(token.slice(13, 40));
  });

  it('looks for the very pattern that was given', async () => {
    const canaryPattern = 'a-word-of-mine';
    const told = await ask('track_canary', {
      ...chain,
      canaryPattern,
      streams: [{ serverId: 'web', channel: 'arguments', text: `say ${canaryPattern} twice` }],
    });
    expect(told).toMatchObject({ canaryToken: canaryPattern, leakDetected: true });
  });

  it('says what it could not look at', async () => {
    const files = [{ serverId: 'web', path: join(guard.home, 'not-there') }];
    expect(await ask('track_canary', { ...chain, files })).toMatchObject({ unsearchedFiles: 1, leakDetected: false });
  });
});

describe('inject_egress_policy', () => {
  it('reaches the box that runs, tells what became of it and counts what was blocked', async () => {
    const { subprocessHandle } = await ask('register_subprocess', registration);
    const inject = (more: object = {}) => ask('inject_egress_policy', { subprocessHandle, ...more });
    expect(await inject({ allowlist: ['a.example:443'] })).toMatchObject({ applied: false, state: 'not-running' });
    using store = openGuardStore(guard.home);
    const applied: string[] = [];
    const box = { isThere: true, blocked: 3 };
    await using _watch = await watchEgress({
      store,
      handle: subprocessHandle,
      boxId: 'box-1',
      intervalMs: 20,
      attempts: () => ({ blocked: box.blocked, unlisted: 0 }),
      onRules: ({ rules, mode }) => {
        applied.push(`${mode} ${rules.map(({ host, port }) => `${host}:${port}`)}`);
        return box.isThere;
      },
    });
    expect(await inject({ allowlist: ['.b.example:*'] })).toMatchObject({
      applied: true,
      state: 'applied',
      order: 2,
      blockedAttempts: 3,
      runningBoxes: [{ boxId: 'box-1', pid: process.pid, applied: true, why: null }],
    });
    box.isThere = false;
    expect(await inject({ mode: 'audit-only' })).toMatchObject({ applied: false, state: 'refused', order: 3 });
    expect(applied).toEqual(['default-deny a.example:443', 'default-deny .b.example:*', 'audit-only ']);
    const { isError, text } = await answer('inject_egress_policy', { subprocessHandle, allowlist: ['a/b:1'] });
    expect([isError, text]).toEqual([true, expect.stringContaining('network')]);
    expect((await actions()).filter((action) => action.startsWith('egress'))).toHaveLength(3);
  });
});
