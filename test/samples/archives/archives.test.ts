import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archiveIssues, type Unpacked, type UnpackOptions } from '../../../src/targets/ingest/unpack/contract.ts';
import { unpack } from '../../../src/targets/ingest/unpack/unpack.ts';
import type { HostileArchive } from './hostile-archive.ts';
import { hostileTars } from './hostile-tars.ts';
import { hostileZips } from './hostile-zips.ts';
import { tar, tarEnd, tarEntry, tarHeader, tgz } from './tar-bytes.ts';
import { zip } from './zip-bytes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-archives-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Everything below a folder; a link, a device or a mode of another kind is told apart. */
function look(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) Object.assign(found, look(root, path));
    else if (!stats.isFile()) found[path] = 'NOT A FILE';
    else
      found[path] = [0o644, 0o755].includes(stats.mode & 0o7777)
        ? readFileSync(join(root, path), 'utf8')
        : `MODE ${stats.mode.toString(8)}`;
  }
  return found;
}

async function unpackBytes(bytes: Buffer, options: UnpackOptions = {}): Promise<Unpacked> {
  writeFileSync(join(folder, 'archive'), bytes);
  return await unpack(join(folder, 'archive'), join(folder, 'into'), options);
}

const idsOf = ({ issues }: Unpacked): string[] => [...new Set(issues.map(({ id }) => id))].sort();

async function survive({ make, limits, strip, reported, disk, isComplete }: HostileArchive): Promise<void> {
  const unpacked = await unpackBytes(make(), { ...(limits && { limits }), ...(strip && { strip }) });
  expect(idsOf(unpacked)).toEqual(reported);
  const found = look(join(folder, 'into'));
  // Where the work was stopped, what had been placed before it is as good as anything.
  if (limits === undefined) expect(found).toEqual(disk);
  else expect(found).toMatchObject(disk);
  expect(unpacked.isComplete).toBe(isComplete ?? true);
  expect(readdirSync(folder).sort()).toEqual(['archive', 'into']);
}

describe('hostile tar archives', () => {
  it.each(hostileTars)('$what', (archive) => survive(archive));
});

describe('hostile zip archives', () => {
  it.each(hostileZips)('$what', (archive) => survive(archive));
});

it('no hostile file came out anywhere else', () => {
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('hotcell-evil'))).toEqual([]);
});

it('knows more than thirty of them, and every kind of issue', () => {
  expect(hostileTars.length + hostileZips.length).toBeGreaterThan(80);
  const covered = new Set([...hostileTars, ...hostileZips].flatMap(({ reported }) => reported));
  const elsewhere = new Set(['bomb-ratio', 'too-many-entries', 'too-large-file', 'too-slow']);
  expect(Object.keys(archiveIssues).filter((id) => !covered.has(id) && !elsewhere.has(id))).toEqual([]);
});

describe('archives that are too much', () => {
  /** A stream of zeros through gzip, with the header of one file before it. */
  function bomb(sizeBytes: number): Readable {
    const chunk = Buffer.alloc(1024 * 1024);
    function* bytes(): Generator<Buffer> {
      const field = Buffer.alloc(12);
      field[0] = 0x80;
      field.writeBigUInt64BE(BigInt(sizeBytes), 4);
      yield tarHeader({ name: 'bomb', rawSize: field });
      for (let at = 0; at < sizeBytes; at += chunk.length) yield chunk;
    }
    return Readable.from(bytes()).pipe(createGzip({ level: 9 }));
  }

  it('10 GB in one file: stopped by the ratio', async () => {
    // 200 MB of zeros are enough to see that the rest is never asked for.
    const unpacked = await unpack(bomb(200 * 1024 * 1024), join(folder, 'into'));
    expect(idsOf(unpacked)).toEqual(['bomb-ratio']);
    expect(unpacked.bytes).toBeLessThan(60 * 1024 * 1024);
    expect(look(join(folder, 'into'))).toEqual({});
    expect(readdirSync(folder)).toEqual(['into']);
  });

  it('a zip of zeros: stopped by the ratio', async () => {
    const unpacked = await unpackBytes(zip([{ name: 'bomb', content: Buffer.alloc(64 * 1024 * 1024) }]));
    expect(idsOf(unpacked)).toEqual(['bomb-ratio']);
    expect(look(join(folder, 'into'))).toEqual({});
  });

  it('more than all together may be', async () => {
    const entries = Array.from({ length: 10 }, (_, at) => ({ name: `f${at}`, content: Buffer.alloc(1000, at) }));
    for (const [bytes, into] of [
      [tgz(...entries), 'tar'],
      [zip(entries), 'zip'],
    ] as const) {
      writeFileSync(join(folder, 'archive'), bytes);
      const unpacked = await unpack(join(folder, 'archive'), join(folder, into), { limits: { maxTotalBytes: 4096 } });
      expect(idsOf(unpacked)).toEqual(['too-large-total']);
      expect(unpacked.isComplete).toBe(false);
    }
  });

  it('one file that is too large leaves the others', async () => {
    const limits = { maxFileBytes: 1000 };
    const entries = [
      { name: 'large', content: Buffer.alloc(5000, 1) },
      { name: 'small', content: 'ok' },
    ];
    for (const bytes of [tgz(...entries), zip(entries)]) {
      writeFileSync(join(folder, 'archive'), bytes);
      const unpacked = await unpack(join(folder, 'archive'), join(folder, 'into'), { limits });
      expect(idsOf(unpacked)).toEqual(['too-large-file']);
      expect(look(join(folder, 'into'))).toEqual({ small: 'ok' });
      rmSync(join(folder, 'into'), { recursive: true });
    }
  });

  it('1,000,000 entries', async () => {
    const one = tarEntry({ name: 'same/f' });
    const many = Buffer.concat(Array.from({ length: 20_000 }, () => one));
    const gzip = createGzip({ level: 1 });
    const source = Readable.from(
      (function* () {
        for (let round = 0; round < 50; round += 1) yield many;
        yield tarEnd;
      })(),
    ).pipe(gzip);
    const unpacked = await unpack(source, join(folder, 'into'), { limits: { maxEntries: 2000, maxIssues: 100 } });
    expect(idsOf(unpacked)).toEqual(['duplicate-entry', 'too-many-entries']);
    expect(unpacked.issues.length).toBe(101);
    expect(unpacked.droppedIssues).toBe(1899);
    expect(look(join(folder, 'into'))).toEqual({ 'same/f': '' });
  });

  it('folders count as entries: deep paths do not multiply', async () => {
    const entries = Array.from({ length: 100 }, (_, at) => ({ name: `${at}/a/b/c/d/e/f/g/h/i`, content: '' }));
    const unpacked = await unpackBytes(tgz(...entries), { limits: { maxEntries: 200 } });
    expect(idsOf(unpacked)).toEqual(['too-many-entries']);
  });

  it('too many entries in a zip', async () => {
    const entries = Array.from({ length: 300 }, (_, at) => ({ name: `f${at}`, content: '' }));
    const unpacked = await unpackBytes(zip(entries), { limits: { maxEntries: 100 } });
    expect(idsOf(unpacked)).toEqual(['too-many-entries']);
    expect(unpacked.files).toBe(100);
  });

  it('too slow', async () => {
    const unpacked = await unpackBytes(tgz({ name: 'a', content: 'a' }), { limits: { timeoutMs: -1 } });
    expect(idsOf(unpacked)).toEqual(['too-slow']);
  });

  it('a stream that never ends is cut at its cap', async () => {
    const endless = Readable.from(
      (function* () {
        for (let at = 0; at < 1000; at += 1) yield Buffer.alloc(1000);
      })(),
    );
    const unpacked = await unpack(endless, join(folder, 'into'), { limits: { maxArchiveBytes: 10_000 } });
    expect(idsOf(unpacked)).toEqual(['too-large-total']);
    expect(readdirSync(folder)).toEqual(['into']);
  });
});

describe('honest archives', () => {
  it('are unpacked without a word', async () => {
    const entries = [
      { name: 'package/', type: '5', mode: 0o755 },
      { name: 'package/run.sh', content: '#!', mode: 0o775 },
      { name: 'package/lib/a.js', content: 'x'.repeat(2000) },
    ];
    const unpacked = await unpackBytes(tgz(...entries), { strip: 1 });
    expect(unpacked).toMatchObject({ format: 'tar', files: 2, issues: [], isComplete: true });
    expect(look(join(folder, 'into'))).toEqual({ 'run.sh': '#!', 'lib/a.js': 'x'.repeat(2000) });
    expect(lstatSync(join(folder, 'into/run.sh')).mode & 0o777).toBe(0o755);
  });

  it('have long names', async () => {
    const long = `${'n'.repeat(120)}/${'m'.repeat(120)}`;
    const unpacked = await unpackBytes(
      gzipSync(tar({ name: 'L', type: 'L', content: `${long}\0` }, { name: 'x', content: 'y' })),
    );
    expect(unpacked.issues).toEqual([]);
    expect(look(join(folder, 'into'))).toEqual({ [long]: 'y' });
  });
});

describe('archives with changed bytes', () => {
  const tarBase = tar(
    { name: 'PaxHeader', type: 'x', content: '15 path=a/b.js\n' },
    { name: 'x', content: 'one' },
    { name: 'l', type: '2', link: 'a/b.js' },
    { name: 'd/', type: '5' },
  );
  const zipBase = zip([
    { name: 'a/b.js', content: 'one' },
    { name: 'l', content: 'a/b.js', mode: 0o120777 },
    { name: 'd/' },
  ]);
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });

  async function unpackChanged(
    base: Buffer,
    wrap: (bytes: Buffer) => Buffer,
    list: readonly [number, number][],
    cut: number,
  ): Promise<void> {
    const bytes = Buffer.from(base);
    for (const [at, value] of list) bytes[at % bytes.length] = value;
    writeFileSync(join(folder, 'archive'), wrap(bytes).subarray(0, Math.max(1, bytes.length - (cut % 50))));
    const unpacked = await unpack(join(folder, 'archive'), join(folder, 'into'), { limits: { maxEntries: 50 } });
    expect(Object.values(look(join(folder, 'into')))).not.toContain('NOT A FILE');
    expect(readdirSync(folder).sort()).toEqual(['archive', 'into']);
    expect(unpacked.issues.length).toBeLessThanOrEqual(1001);
    rmSync(join(folder, 'into'), { recursive: true });
  }

  it.each<[string, Buffer, (bytes: Buffer) => Buffer]>([
    ['tar', tarBase, (bytes) => bytes],
    ['compressed tar', gzipSync(tarBase), (bytes) => bytes],
    ['zip', zipBase, (bytes) => bytes],
  ])('%s: never an error, nothing outside', async (_, base, wrap) => {
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), (list, cut) => unpackChanged(base, wrap, list, cut)),
      { numRuns: 400 },
    );
  });
});
