import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostError, TargetError, UsageError } from '../../../base/errors.ts';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import { commandOf } from './attacked-server.ts';
import { fillInAll } from './fill-in.ts';
import { attacks, findAttack } from './read-attacks.ts';
import { replayAttack } from './replay.ts';
import { plantWorld } from './world.ts';

const values = { world: '/w', token: 'T', honest: 'H' };

describe('the list of attacks', () => {
  it('has enough with a vulnerable and a fixed release', () => {
    expect(attacks.filter(({ fixed }) => fixed !== null).length).toBeGreaterThanOrEqual(8);
    expect(new Set(attacks.flatMap(({ id, also }) => [id, ...also])).size).toBe(
      attacks.reduce((count, { also }) => count + 1 + also.length, 0),
    );
  });

  it.each(attacks.map((attack) => [attack.id, attack] as const))(
    '%s uses known names, and proves something',
    (_, attack) => {
      expect(JSON.stringify(fillInAll(attack, values))).not.toMatch(/\{(?:world|token|honest|up)\}/);
      // What the honest task brings back must not be what the attack is after.
      for (const { expects } of attack.honest) expect(expects).not.toContain('{token}');
      const { succeeds, files, links, folders, setup, internet } = attack;
      if (succeeds.is === 'answer') {
        expect(succeeds.text).toBe('{token}');
        expect(JSON.stringify(attack.proof)).not.toContain('{token}');
        expect(JSON.stringify([files, setup, internet])).toContain('{token}');
      }
      if (succeeds.is === 'marker') {
        const planted = [...files, ...links].map(({ path }) => `{world}/${path}`);
        expect(planted).not.toContain(succeeds.path);
        expect(folders.some((folder) => succeeds.path.startsWith(`{world}/${folder}/`))).toBe(true);
      }
      // What is granted to any server of this kind must not be what the attack reaches for.
      const { reaches } = attack;
      if (reaches.is === 'file') {
        for (const { path } of attack.grants) expect(`${reaches.path}/`.startsWith(`${path}/`)).toBe(false);
      }
    },
  );

  it('is found by any id in any case', () => {
    expect(findAttack('cve-2025-53110').id).toBe('CVE-2025-53110');
    expect(findAttack('GHSA-q66q-fx2p-7w4m').id).toBe('CVE-2025-53109');
    expect(() => findAttack('CVE-2025-53111')).toThrow(UsageError);
    expect(() => findAttack('x'.repeat(500))).toThrow(/no attack is called/);
  });
});

describe('fillInAll', () => {
  it('reaches into everything', () => {
    expect(fillInAll({ a: ['{world}/{token}', 1, null, { b: '{honest}{honest}' }] }, values)).toEqual({
      a: ['/w/T', 1, null, { b: 'HH' }],
    });
  });
});

describe('commandOf', () => {
  it('hands variables over inside the box', () => {
    expect(commandOf(['node', 'x'], {})).toEqual(['node', 'x']);
    expect(commandOf(['node', 'x'], { A: '1 2' })).toEqual(['/usr/bin/env', 'A=1 2', 'node', 'x']);
  });
});

describe('plantWorld', () => {
  it('is as it was after a reset, with the same words, and gone in the end', async () => {
    const world = await plantWorld(findAttack('CVE-2025-53109'));
    try {
      const [notes, secret, link] = ['root/notes.txt', 'elsewhere/secret.txt', 'root/link.txt'].map((path) =>
        join(world.world, path),
      ) as [string, string, string];
      expect(readFileSync(link, 'utf8')).toBe(world.token);
      expect(world.token).not.toBe(world.honest);
      writeFileSync(notes, 'changed');
      rmSync(secret);
      writeFileSync(join(world.world, 'root/more'), '');
      await world.reset();
      expect(readFileSync(notes, 'utf8')).toBe(world.honest);
      expect(readFileSync(secret, 'utf8')).toBe(world.token);
      expect(existsSync(join(world.world, 'root/more'))).toBe(false);
      expect(lstatSync(notes).mode & 0o777).toBe(0o666);
      expect(lstatSync(dirname(world.world)).mode & 0o777).toBe(0o711);
    } finally {
      await world.close();
    }
    expect(existsSync(dirname(world.world))).toBe(false);
  });
});

describe('replayAttack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-attacks-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function replayWith(error: Error, entries: LedgerEntry[]) {
    const prepare = {
      home: folder,
      fetch: { cwd: folder, home: folder, environment: {}, cacheFolder: folder, isOffline: true },
      box: { backend: 'auto', runtimeFolder: folder },
    } as const;
    return replayAttack(findAttack('CVE-2025-53110'), {
      policy: { is: 'learnt' },
      prepare,
      folder: join(folder, 'run'),
      ledger: {
        append: async (entry) => {
          entries.push(entry);
          return { sequence: 0, leaf: '' };
        },
        hashSecret: () => '',
      },
      session: 'test',
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      prepareServer: async () => {
        throw error;
      },
    });
  }

  it('does not call blocked what cannot be had, and tells the ledger', async () => {
    const entries: LedgerEntry[] = [];
    const told = await replayWith(new TargetError('no such release'), entries);
    expect(told).toMatchObject({ verdict: 'not-reproducible', says: 'no such release', vulnerable: null });
    expect(entries).toMatchObject([
      { action: 'attack.replay', verdict: 'noted', server: 'npm:@modelcontextprotocol/server-filesystem' },
    ]);
  });

  it('does not hide that this machine cannot isolate', async () => {
    const error = new HostError('no isolation available', { exitCode: 4 });
    await expect(replayWith(error, [])).rejects.toBe(error);
  });
});
