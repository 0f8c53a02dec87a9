import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { makeArchive } from './archive.ts';
import { ordinaryFiles, plantedTable } from './files.ts';
import { homeFiles } from './home-files.ts';
import { planWorld } from './plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = ordinaryFiles('canary-of-the-row');
const named = (kind: string): Buffer => {
  const found = files.find(({ kinds }) => kinds.includes(kind));
  if (found === undefined) throw new Error(`no file of kind ${kind}`);
  return found.content;
};

function namesIn(archive: Buffer): Promise<readonly string[]> {
  const names: string[] = [];
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(archive, { lazyEntries: true }, (error, zip) => {
      if (error !== null || zip === undefined) return reject(error);
      zip.on('entry', ({ fileName }: { fileName: string }) => {
        names.push(fileName);
        zip.readEntry();
      });
      zip.on('end', () => resolve(names));
      zip.on('error', reject);
      zip.readEntry();
    });
  });
}

describe('the ordinary files', () => {
  it('are one for each kind', () => {
    const kinds = files.flatMap((file) => file.kinds);
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const kind of ['text', 'nested', 'json', 'csv', 'pdf', 'png', 'jar', 'zip', 'html'])
      expect(kinds).toContain(kind);
  });

  it('are what their names say', async () => {
    expect(JSON.parse(named('json').toString())).toEqual({ name: 'demo', enabled: true });
    expect(await namesIn(named('jar'))).toEqual(['META-INF/MANIFEST.MF', 'App.class']);
    expect(await namesIn(named('zip'))).toEqual(['notes.txt']);
    expect(named('png').subarray(1, 4).toString()).toBe('PNG');
    const pdf = named('pdf').toString('latin1');
    const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
    expect(pdf.slice(start, start + 4)).toBe('xref');
    expect(pdf.slice(Number(/0 6\n0{10} 65535 f \n(\d{10})/.exec(pdf)?.[1])).startsWith('1 0 obj')).toBe(true);
  });

  it('hold a database with a row that nobody asks for', () => {
    const path = join(folder, 'notes.db');
    writeFileSync(path, named('sqlite'));
    const database = new DatabaseSync(path);
    const rows = database.prepare(`SELECT body FROM ${plantedTable} ORDER BY id`).all();
    database.close();
    expect(rows).toHaveLength(3);
    expect(rows[2]).toMatchObject({ body: 'canary-of-the-row' });
  });
});

describe('an archive', () => {
  it('may be empty, and keeps what was put in', async () => {
    expect(await namesIn(makeArchive({}))).toEqual([]);
    expect(await namesIn(makeArchive({ 'ä/b': Buffer.alloc(70_000), c: Buffer.alloc(0) }))).toHaveLength(2);
  });
});

describe('settings in the home folder', () => {
  it('are filled from the world and stay below it', () => {
    const made = homeFiles('/home/sam', { root: '/home/sam/workspace' });
    expect(made.length).toBeGreaterThan(0);
    for (const { path, content } of made) {
      expect(path.startsWith('/home/sam/')).toBe(true);
      expect(path).not.toContain('..');
      expect(content.toString()).not.toContain('[[');
    }
    expect(made.find(({ confines }) => confines)?.content.toString()).toContain('/home/sam/workspace');
  });

  it('are left out where the world has nothing to fill them with', () => {
    expect(homeFiles('/home/sam', {}).filter(({ confines }) => confines)).toEqual([]);
  });
});

describe('a plan', () => {
  it('is another one each time, and its tokens stand on no page but their own', () => {
    const [one, other] = [planWorld(), planWorld()];
    expect(one.canaries.loopback).not.toBe(other.canaries.loopback);
    const pages = JSON.stringify(one.fake);
    for (const name of ['outside', 'entry', 'sibling', 'loopback', 'database'] as const) {
      expect(pages).not.toContain(one.canaries[name]);
    }
    expect(pages.split(one.canaries.large)).toHaveLength(3);
    const large = one.fake.scripts?.filter(({ repeat }) => repeat !== undefined) ?? [];
    for (const { text = '', repeat } of large)
      expect(text.length * (repeat?.count ?? 0)).toBeGreaterThan(5 * 1024 * 1024);
    expect(large.map(({ isChunked }) => isChunked === true)).toEqual([false, true]);
  });
});
