import { mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../src/engine/ledger/contract.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import {
  type Attack,
  findAttack,
  type Replay,
  type ReplayOptions,
  type ReplayPolicy,
  replayAttack,
} from '../../../src/instruments/guard/attacks/index.ts';
import { fetchNpm } from '../../../src/targets/ingest/fetch/npm.ts';
import { Arena } from '../box/arena.ts';

/**
 * The releases of the filesystem server that read outside of what they were given: they do so here without a policy, they
 * cannot under the one that is learnt from their honest use, and that use goes on working.
 */

const folder = mkdtempSync('/var/tmp/hotcell-replay-test-');
const arena = new Arena();
const entries: LedgerEntry[] = [];
const ledger: ReplayOptions['ledger'] = {
  append: async (entry) => {
    entries.push(entry);
    return { sequence: entries.length - 1, leaf: '' };
  },
  hashSecret: () => '',
};
const fetch = {
  cwd: folder,
  home: homedir(),
  environment: process.env,
  cacheFolder: join(folder, 'cache'),
  isOffline: false,
};
let runs = 0;

function replay(attack: Attack, policy: ReplayPolicy): Promise<Replay> {
  runs += 1;
  return replayAttack(attack, {
    policy,
    prepare: { home: join(folder, 'home'), fetch, box: { backend: 'bwrap', ...arena.options } },
    folder: join(folder, `run-${runs}`),
    ledger,
    session: 'test',
    timeoutMs: 150_000,
    signal: new AbortController().signal,
  });
}

describe('known attacks', () => {
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('succeed without a policy, and not under the learnt one, which lets the honest task work', async (skippable) => {
    await arena.need('bwrap', skippable);
    const target = { kind: 'npm', name: '@modelcontextprotocol/server-filesystem' } as const;
    const wanted = { is: 'version', value: findAttack('CVE-2025-53110').vulnerable } as const;
    await fetchNpm({ ...target, wanted }, fetch, join(folder, 'probe')).catch((error: Error) => {
      skippable.skip(`no registry answers: ${error.message}`);
    });
    for (const id of ['CVE-2025-53110', 'CVE-2025-53109']) {
      const { verdict, says, vulnerable, fixed, guarded, stopped, policy } = await replay(findAttack(id), {
        is: 'learnt',
      });
      expect([id, verdict, says]).toEqual([id, 'blocked', expect.stringContaining('no line allows it to read /')]);
      expect(vulnerable).toMatchObject({ version: '2025.3.28', isHit: true, honest: { works: true } });
      expect(fixed).toMatchObject({ version: '2025.7.1', isHit: false, honest: { works: true } });
      expect(guarded).toMatchObject({ version: '2025.3.28', isHit: false, honest: { works: true } });
      expect(stopped?.nearest[0]?.text).toMatch(/^read .*\/world\/root$/);
      expect(policy?.policy.files.filter(({ path }) => /\/world(\/(root_outside|elsewhere).*)?$/.test(path))).toEqual(
        [],
      );
      expect(policy?.policy.network).toEqual({ mode: 'none', rules: [] });
    }
    // A policy that gives away what the attack wants does not stop it, and nobody says that it does.
    const medium = tierPolicy('MEDIUM');
    const wide = { ...medium, files: [...medium.files, { path: '/var/tmp', access: 'read' as const }] };
    const loose = await replay({ ...findAttack('CVE-2025-53110'), fixed: null }, { is: 'given', policy: wide });
    expect(loose).toMatchObject({
      verdict: 'vulnerable',
      stopped: null,
      guarded: { isHit: true, honest: { works: true } },
    });
    expect(entries.map(({ action, verdict, details }) => [action, verdict, details?.attack])).toEqual([
      ['attack.replay', 'refused', 'CVE-2025-53110'],
      ['attack.replay', 'refused', 'CVE-2025-53109'],
      ['attack.replay', 'noted', 'CVE-2025-53110'],
    ]);
  }, 240_000);
});
