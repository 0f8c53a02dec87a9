import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerWriter } from '../../../engine/ledger/contract.ts';
import { parseClientConfig } from '../../../targets/ingest/client-config/read.ts';
import { applyPlan } from './apply.ts';
import { Backups } from './files/backups.ts';
import { type PlannedFile, planProtect, planUndo } from './plan.ts';
import { disguises, sampleConfigs } from './sample-configs.ts';

let folder = '';
let entries: LedgerEntry[] = [];
const ledger: LedgerWriter = {
  append: async (entry) => ({ sequence: entries.push(entry) - 1, leaf: '' }),
  hashSecret: () => '',
};
const home = (): string => join(folder, 'hotcell');
const options = () => ({ home: home(), ledger, session: 'test' });
const wrap = { program: '/opt/bin/hotcell', exists: (path: string) => path === '/usr/share' };
const at = (path: string): string => join(folder, path);

function put(path: string, text: string | Buffer, mode = 0o600): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), mode);
  return at(path);
}

const wanted = (...paths: readonly string[]) => paths.map((path) => ({ client: 'test', path }));
async function protect(...paths: readonly string[]): Promise<readonly PlannedFile[]> {
  const plans = await planProtect(wanted(...paths), wrap);
  for (const plan of plans) await applyPlan(plan, options());
  return plans;
}
async function undo(path: string, more: { isForced?: boolean; servers?: readonly string[] } = {}) {
  const [plan] = await planUndo(wanted(path), { backups: new Backups(home()), ...more });
  if (plan !== undefined) await applyPlan(plan, options());
  return plan;
}
const backupFiles = (): readonly string[] => readdirSync(join(home(), 'guard/backups'));
const simple = '{"mcpServers":{"a":{"command":"x","args":["y"]}}}\n';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-protect-'));
  entries = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('protect and undo', () => {
  it('bring back every byte of every shape in every disguise', async () => {
    const cases = sampleConfigs.flatMap((sample) =>
      disguises.map(({ apply }) => ({ ...sample, text: apply(sample.text) })),
    );
    expect(new Set(cases.map(({ shape }) => shape)).size).toBeGreaterThanOrEqual(10);
    for (const [index, { path, text }] of cases.entries()) {
      const file = put(`${index}/${path}`, text);
      const [plan] = await protect(file);
      expect([path, plan?.is, plan?.why]).toEqual([path, 'changed', undefined]);
      const changed = readFileSync(file, 'utf8');
      expect(changed).not.toBe(text);
      expect(await protect(file)).toMatchObject([{ is: 'same' }]);
      expect(readFileSync(file, 'utf8')).toBe(changed);
      expect(await undo(file)).toMatchObject({ is: 'changed', how: 'restored' });
      expect(readFileSync(file).equals(Buffer.from(text))).toBe(true);
      expect(await undo(file)).toMatchObject({ is: 'same' });
    }
    expect(backupFiles()).toEqual([]);
  });

  it('keep mode, links and the record of what was before', async () => {
    const file = put('real/mcp.json', simple, 0o640);
    symlinkSync('real/mcp.json', at('link.json'));
    await protect(at('link.json'));
    expect(readlinkSync(at('link.json'))).toBe('real/mcp.json');
    expect(lstatSync(file).isFile()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(at('real'))).toEqual(['mcp.json']);
    const [backup] = await new Backups(home()).list();
    expect(backup).toMatchObject({
      path: at('link.json'),
      real: file,
      link: 'real/mcp.json',
      mode: 0o640,
      servers: ['a'],
    });
    for (const name of backupFiles()) {
      expect(statSync(join(home(), 'guard/backups', name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(join(home(), 'guard/backups')).mode & 0o777).toBe(0o700);
    await undo(at('link.json'));
    expect(readFileSync(file, 'utf8')).toBe(simple);
    expect(readlinkSync(at('link.json'))).toBe('real/mcp.json');
  });

  it('tell the ledger before the file changes, and change nothing when it fails', async () => {
    const file = put('mcp.json', simple);
    const [plan] = await planProtect(wanted(file), wrap);
    const failing: LedgerWriter = { ...ledger, append: () => Promise.reject(new Error('disk full')) };
    await expect(applyPlan(plan as PlannedFile, { ...options(), ledger: failing })).rejects.toThrow('disk full');
    expect(readFileSync(file, 'utf8')).toBe(simple);
    expect(readdirSync(folder).sort()).toEqual(['hotcell', 'mcp.json']);
    expect(backupFiles()).toEqual([]);
    await protect(file);
    await undo(file);
    expect(entries).toMatchObject([
      {
        instrument: 'guard',
        action: 'config.protect',
        verdict: 'changed',
        session: 'test',
        details: { path: file, servers: ['a'] },
      },
      { action: 'config.undo', verdict: 'changed', details: { how: 'restored' } },
    ]);
  });

  it('leave a file alone that somebody changed meanwhile', async () => {
    const file = put('mcp.json', simple);
    const [plan] = await planProtect(wanted(file), wrap);
    writeFileSync(file, '{"mcpServers":{}}');
    await expect(applyPlan(plan as PlannedFile, options())).rejects.toThrow('another program has changed the file');
    expect(readFileSync(file, 'utf8')).toBe('{"mcpServers":{}}');
    expect(readdirSync(folder).sort()).toEqual(['hotcell', 'mcp.json']);
    expect(entries.map(({ verdict }) => verdict)).toEqual(['changed', 'refused']);
  });

  it('go back through several changes to the first', async () => {
    const file = put('mcp.json', simple);
    await protect(file);
    const half = readFileSync(file, 'utf8');
    const [plan] = await planUndo(wanted(file), { backups: new Backups(home()), servers: ['a'] });
    expect(plan?.is).toBe('changed');
    // Another server comes in: the second change starts from what the first one made.
    writeFileSync(file, half.replace('{"mcpServers":{', '{"mcpServers":{"b":{"command":"z"},'));
    await protect(file);
    expect(await undo(file)).toMatchObject({ how: 'unwrapped' });
    expect(
      parseClientConfig(file, readFileSync(file, 'utf8')).servers.map(({ command, args }) => [command, ...args]),
    ).toEqual([['z'], ['x', 'y']]);
    expect(await undo(file)).toMatchObject({ is: 'same' });
  });

  it('take only their own words out of a file that was changed since, and all of it back by force', async () => {
    const file = put('mcp.json', simple);
    await protect(file);
    const mine = readFileSync(file, 'utf8').replace('}\n', ',"mine": [1, 2] }\n');
    writeFileSync(file, mine);
    expect(await undo(file, { isForced: true })).toMatchObject({ how: 'restored' });
    expect(readFileSync(file, 'utf8')).toBe(simple);
    await protect(file);
    writeFileSync(file, mine);
    expect(await undo(file)).toMatchObject({ how: 'unwrapped' });
    expect(readFileSync(file, 'utf8')).toBe(simple.replace('}\n', ',"mine": [1, 2] }\n'));
    expect((await new Backups(home()).list()).map(({ undoneAt }) => typeof undoneAt)).toEqual(['string']);
  });

  it.each([
    ['lost', (path: string) => rmSync(path, { recursive: true })],
    [
      'damaged',
      (path: string) => {
        for (const name of readdirSync(path)) writeFileSync(join(path, name), randomBytes(9));
      },
    ],
  ])('undo from the words alone when the backup is %s', async (_, damage) => {
    const file = put('mcp.json', simple);
    await protect(file);
    damage(join(home(), 'guard/backups'));
    expect(await undo(file)).toMatchObject({ how: 'unwrapped' });
    expect(readFileSync(file, 'utf8')).toBe(simple);
    expect(await undo(file, { isForced: true })).toMatchObject({ is: 'refused', why: 'there is no backup of it' });
  });

  it('show the change without secrets and without control characters', async () => {
    const secret = 'sk-abcdefgh12345';
    const text = `{\n"mcpServers": {\n"a\\u001b[31m": {\n"command": "x",\n"args": ["--api-key", "${secret}9", "\u202e"],\n"env": {"T": "${secret}", "PIN": "1234"}\n}}}\n`;
    const [plan] = await planProtect(wanted(put('mcp.json', text)), wrap);
    expect(plan?.diff).toContain('+"command": "/opt/bin/hotcell"');
    expect(plan?.diff).toContain('(hidden)');
    expect(plan?.diff).not.toContain(secret);
    expect(plan?.diff).not.toContain('1234');
    expect(plan?.diff).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    ['no UTF-8', () => put('mcp.json', Buffer.from([0x7b, 0xff, 0x7d])), 'UTF-8'],
    ['UTF-16', () => put('mcp.json', Buffer.from('\ufeff{}', 'utf16le')), 'UTF-8'],
    ['nothing there', () => at('nowhere.json'), 'ENOENT'],
    ['a folder', () => folder, 'no file|EISDIR'],
    [
      'two names',
      () => {
        linkSync(put('mcp.json', simple), at('other.json'));
        return at('mcp.json');
      },
      'hard links',
    ],
  ])('refuse %s', async (_, make, why) => {
    expect(await planProtect(wanted(make()), wrap)).toMatchObject([{ is: 'refused', why: expect.stringMatching(why) }]);
  });

  it('look at a file once, whatever links lead to it', async () => {
    const file = put('mcp.json', simple);
    symlinkSync(file, at('other.json'));
    expect(await planProtect(wanted(file, at('other.json'), file), wrap)).toHaveLength(1);
  });
});
