import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { LaunchRecord, ServerRecord } from './contract.ts';
import { fileMemory, parseLaunchRecord, parseServerRecord } from './record.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const launch: LaunchRecord = {
  format: 'hotcell-launch',
  asked: ['npm:p@latest'],
  subject: 'npm:p',
  version: '1.0.0',
  integrity: 'sha256-x',
  digest: 'ab'.repeat(32),
  date: '2026-01-01T00:00:00.000Z',
};
const server: ServerRecord = {
  format: 'hotcell-server',
  subject: 'npm:p',
  version: null,
  integrity: 'sha256-x',
  launch: ['npx', 'p'],
  asked: ['npm:p@latest'],
  date: '2026-01-01T00:00:00.000Z',
  platform: 'linux-x64',
  ecosystem: 'npm',
  archives: [{ name: 'p', version: '1.0.0', integrity: null }],
  programs: [{ name: 'p', path: 'a/b.js', runner: 'node', runnerArgs: ['--x'], isOwn: true }],
  source: { path: '/p', state: 's' },
  scripts: ['p postinstall'],
  builtWith: '/usr/bin/node',
  problems: ['one'],
  manifest: 'cd'.repeat(32),
};

describe('records', () => {
  it('are read as they were written', () => {
    expect(parseLaunchRecord(JSON.stringify(launch))).toEqual(launch);
    expect(parseServerRecord(JSON.stringify(server))).toEqual(server);
  });

  it.each<[string, object]>([
    ['another format', { ...launch, format: 'x' }],
    ['a digest that is a path', { ...launch, digest: '../../etc' }],
    ['no integrity', { ...launch, integrity: undefined }],
    ['a version that is a number', { ...launch, version: 1 }],
  ])('of launches are refused with %s', (_, value) => {
    expect(parseLaunchRecord(JSON.stringify(value))).toBeNull();
  });

  it.each<[string, object]>([
    ['a program outside', { ...server, programs: [{ ...server.programs[0], path: '../x' }] }],
    ['an unknown runner', { ...server, programs: [{ ...server.programs[0], runner: 'curl' }] }],
    ['an archive without a name', { ...server, archives: [{}] }],
    ['another ecosystem', { ...server, ecosystem: 'gem' }],
    ['no manifest', { ...server, manifest: null }],
  ])('of servers are refused with %s', (_, value) => {
    expect(parseServerRecord(JSON.stringify(value))).toBeNull();
  });

  it('of any text, and with any value in any place, are read or refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...Object.keys(server)), fc.jsonValue(), (text, key, value) => {
        expect(parseLaunchRecord(text) ?? parseServerRecord(text)).toBeNull();
        const read = parseServerRecord(JSON.stringify({ ...server, [key]: value }));
        for (const { path } of read?.programs ?? []) expect(path).not.toContain('..');
        parseLaunchRecord(JSON.stringify({ ...launch, [key]: value }));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the memory of launches', () => {
  it('keeps the first, unless it is to be replaced', async () => {
    const memory = fileMemory(join(folder, 'launches'));
    expect(await memory.read('key')).toBeNull();
    const others = Array.from({ length: 8 }, (_, at) => ({ ...launch, version: `${at}.0.0` }));
    const winners = await Promise.all(others.map((each) => memory.write('key', each, false)));
    expect(new Set(winners.map(({ version }) => version)).size).toBe(1);
    expect(await memory.read('key')).toEqual(winners[0]);
    expect(await memory.write('key', launch, true)).toEqual(launch);
    expect(await memory.read('key')).toEqual(launch);
    expect(readdirSync(join(folder, 'launches'))).toEqual(['key.json']);
  });

  it('does not take a broken file for none', async () => {
    writeFileSync(join(folder, 'broken.json'), '{');
    await expect(fileMemory(folder).read('broken')).rejects.toThrow(/what was pinned is not known/);
  });
});
