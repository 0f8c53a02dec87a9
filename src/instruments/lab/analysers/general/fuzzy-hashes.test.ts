import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join, noise, raw } from '../../../../../test/samples/lab/general/build.ts';
import { compareSsdeep } from './compare-ssdeep.ts';
import { ssdeep } from './ssdeep.ts';
import { tlsh, tlshDistance } from './tlsh.ts';

const isInstalled = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;

/** Many sizes and textures: noise, text, repetition, and changed copies of each other. */
function makeInputs(): readonly Uint8Array[] {
  const sizes = [0, 1, 7, 49, 50, 64, 255, 256, 300, 700, 1024, 3199, 4096, 9000, 20_000, 66_000, 200_000, 500_000];
  const text = (size: number): Uint8Array =>
    raw(
      Array.from({ length: Math.ceil(size / 12) + 1 }, (_, index) => `line ${index * 7} of it\n`)
        .join('')
        .slice(0, size),
    );
  const changed = (bytes: Uint8Array): Uint8Array =>
    join(bytes.subarray(0, bytes.length / 3), raw('INSERTED'), bytes.subarray(bytes.length / 3), noise(40, 5));
  return sizes.flatMap((size, index) => [
    noise(size, index + 1),
    text(size),
    changed(text(size)),
    changed(noise(size, index + 1)),
    new Uint8Array(size).fill(65),
  ]);
}

const folder = mkdtempSync(joinPath(tmpdir(), 'hotcell-fuzzy-'));
const inputs = makeInputs();
const paths = inputs.map((_, index) => joinPath(folder, `${index}.bin`));
beforeAll(() => {
  for (const [index, bytes] of inputs.entries()) writeFileSync(paths[index] ?? '', bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isInstalled('ssdeep'))('against the program ssdeep (skipped where it is not installed)', () => {
  it('writes the same digests', () => {
    const lines = execFileSync('ssdeep', ['-s', ...paths], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
    const theirs = paths.map((path) => lines.find((line) => line.includes(path))?.split(',')[0]);
    expect(inputs.map((bytes) => ssdeep(bytes))).toEqual(theirs);
    expect(theirs.filter((one) => one !== undefined).length).toBeGreaterThanOrEqual(80);
  });

  it('finds the same likeness', () => {
    const digests = inputs.map((bytes) => ssdeep(bytes));
    const list = joinPath(folder, 'digests.txt');
    const rows = digests.map((digest, index) => `${digest},"${index}"`).join('\n');
    writeFileSync(list, `ssdeep,1.1--blocksize:hash:hash,filename\n${rows}\n`);
    const out = execFileSync('ssdeep', ['-s', '-x', list], { encoding: 'utf8', maxBuffer: 1e8 });
    const theirs = new Map(
      [...out.matchAll(/:(\d+) matches \S*:(\d+) \((\d+)\)/g)].map(([, one, two, score]) => [
        `${one} ${two}`,
        Number(score),
      ]),
    );
    expect(theirs.size).toBeGreaterThan(50);
    for (const [left, one] of digests.entries()) {
      for (const [right, two] of digests.entries()) {
        const expected = theirs.get(`${left} ${right}`) ?? 0;
        if (left === right) continue;
        expect([left, right, compareSsdeep(one, two)]).toEqual([left, right, expected]);
      }
    }
  });
});

describe.skipIf(!isInstalled('tlsh'))('against the program tlsh (skipped where it is not installed)', () => {
  const theirs = (path: string): string | null => {
    const digits = /^(?:T1)?([0-9A-F]{70})\s/.exec(spawnSync('tlsh', ['-f', path], { encoding: 'utf8' }).stdout)?.[1];
    return digits === undefined ? null : `T1${digits}`;
  };

  it('writes the same hashes', () => {
    const rows = inputs.map((bytes, index) => ({
      ours: tlsh(bytes),
      theirs: theirs(paths[index] ?? ''),
      size: bytes.length,
    }));
    // Releases of the program differ in the least size that they take; ours is that of the newer ones.
    const comparable = rows.filter((row) => row.size >= 512 || row.theirs !== null);
    expect(comparable.map((row) => row.ours)).toEqual(comparable.map((row) => row.theirs));
    expect(rows.filter((row) => row.theirs !== null).length).toBeGreaterThanOrEqual(35);
  });

  it('finds the same distances', () => {
    const hashes = inputs.flatMap((bytes) => tlsh(bytes) ?? []).slice(-24);
    const list = joinPath(folder, 'hashes.txt');
    writeFileSync(
      list,
      hashes
        .map((hash, index) => `${hash.slice(2)}\t${index}`)
        .join('\n')
        .concat('\n'),
    );
    for (const [left, one] of hashes.entries()) {
      const out = execFileSync('tlsh', ['-c', one.slice(2), '-l', list, '-T', '100000'], { encoding: 'utf8' });
      for (const line of out.trim().split('\n')) {
        const [, name = '', distance = ''] = line.split('\t');
        expect([left, name, tlshDistance(one, hashes[Number(name)] ?? '')]).toEqual([left, name, Number(distance)]);
      }
    }
    expect(hashes).toHaveLength(24);
  });
});

describe('fuzzy hashes', () => {
  it('have no answer for what is no digest', () => {
    expect(compareSsdeep('x', '3:a:b')).toBeNull();
    expect(tlshDistance('T1', 'T1')).toBeNull();
    expect(tlsh(new Uint8Array(49))).toBeNull();
    expect(tlsh(new Uint8Array(5000))).toBeNull();
    expect(ssdeep(new Uint8Array())).toBe('3::');
  });
});
