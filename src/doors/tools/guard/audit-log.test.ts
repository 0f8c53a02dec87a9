import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerFolder } from '../../settings/index.ts';
import { storeFile } from './guard-store.ts';
import { openSampleGuard, registration, type SampleGuard } from './sample-guard.ts';

let guard: SampleGuard;
beforeEach(async () => {
  guard = await openSampleGuard();
});
afterEach(() => guard.close());
const ask: SampleGuard['ask'] = (name, input) => guard.ask(name, input);
const answer: SampleGuard['answer'] = (...given) => guard.answer(...given);

const actions = async (input: object = {}): Promise<readonly string[]> =>
  (await ask('get_audit_log', input)).entries.map(({ action, verdict }) => `${action} ${verdict}`);

describe('get_audit_log', () => {
  it('makes nothing where nothing is', async () => {
    expect(await ask('get_audit_log', {})).toEqual({ entries: [], staleEgressModeWarnings: [] });
    expect(existsSync(storeFile(guard.home))).toBe(false);
    expect(existsSync(ledgerFolder(guard.home))).toBe(false);
  });

  it('has the newest first, as many as wanted, since when it is wanted', async () => {
    const { subprocessHandle } = await ask('register_subprocess', registration);
    await ask('audit_subprocess', { subprocessHandle, requestedArgs: registration.args });
    await ask('audit_subprocess', { subprocessHandle, requestedArgs: [] });
    const { entries } = await ask('get_audit_log', {});
    expect(entries.map(({ verdict }) => verdict)).toEqual(['refused', 'allowed', 'allowed']);
    expect((await ask('get_audit_log', { limit: 1 })).entries).toEqual(entries.slice(0, 1));
    const since = entries[0]?.at ?? '';
    expect((await ask('get_audit_log', { since })).entries.map(({ at }) => at >= since)).not.toContain(false);
    expect((await ask('get_audit_log', { since: '2999-01-01T00:00:00Z' })).entries).toEqual([]);
    for (const wrong of [{ since: 'yesterday' }, { limit: 10_001 }, { staleEgressModeThresholdDays: 366 }]) {
      expect((await answer('get_audit_log', wrong)).isError).toBe(true);
    }
  });

  it('tells two servers of one name apart by their handles', async () => {
    const [one, two] = [await ask('register_subprocess', registration), await ask('register_subprocess', registration)];
    await ask('audit_subprocess', { subprocessHandle: two.subprocessHandle, requestedArgs: [] });
    expect(await actions({ subprocessHandle: one.subprocessHandle })).toEqual(['subprocess.register allowed']);
    expect(await actions({ subprocessHandle: two.subprocessHandle })).toHaveLength(2);
  });

  it('warns of a mode that only looks, for as long as it has', async () => {
    const { subprocessHandle } = await ask('register_subprocess', registration);
    await ask('inject_egress_policy', { subprocessHandle, mode: 'audit-only' });
    const warnings = async (days: number) =>
      (await ask('get_audit_log', { staleEgressModeThresholdDays: days })).staleEgressModeWarnings;
    expect(await warnings(0)).toMatchObject([{ subprocessHandle, serverId: 'files', egressMode: 'audit-only' }]);
    expect(await warnings(1)).toEqual([]);
    await ask('inject_egress_policy', { subprocessHandle, mode: 'default-deny' });
    expect(await warnings(0)).toEqual([]);
  });
});

describe('verify_audit_log', () => {
  it('says that all is as it was written, and when it is not', async () => {
    expect(await ask('verify_audit_log', {})).toMatchObject({ isIntact: true, size: 0, trustedKeys: 'none' });
    for (const serverId of ['one', 'two', 'three']) await ask('register_subprocess', { ...registration, serverId });
    await guard.restart();
    const intact = await ask('verify_audit_log', {});
    expect(intact).toMatchObject({ isIntact: true, trustedKeys: 'beside the ledger', problems: [] });
    const folder = ledgerFolder(guard.home);
    const [segment = ''] = readdirSync(folder).filter((name) => name.startsWith('entries-'));
    const file = join(folder, segment);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('"allowed"', '"refused"'));
    const changed = await answer('verify_audit_log', {});
    expect(changed.structured).toMatchObject({ isIntact: false });
    expect((changed.structured as { problems: readonly unknown[] }).problems.length).toBeGreaterThan(0);
    writeFileSync(file, before);
    appendFileSync(file, '{}\n');
    expect(await ask('verify_audit_log', {})).toMatchObject({ isIntact: false });
    rmSync(folder, { recursive: true });
    expect(await ask('verify_audit_log', { checkpoint: 'kept elsewhere' })).toMatchObject({ isIntact: false });
  });
});
