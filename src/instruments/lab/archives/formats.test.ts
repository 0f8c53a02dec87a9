import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRandom } from '../../../../test/samples/lab/fuzz-analyser.ts';
import { createHere } from './create.ts';
import { extractHere, listHere } from './open.ts';

/** Archives made by other programs, and ours read by them. What is not installed is skipped, by name. */

const folder = mkdtempSync(join(tmpdir(), 'hotcell-formats-'));
mkdirSync(join(folder, 'in/sub'), { recursive: true });
const contents: Readonly<Record<string, Buffer>> = {
  'a.txt': Buffer.from('a harmless marker\n'),
  'sub/b.bin': Buffer.alloc(70_000, 'xyz'),
};
for (const [name, bytes] of Object.entries(contents)) writeFileSync(join(folder, 'in', name), bytes);
const random = makeRandom(7);
writeFileSync(join(folder, 'random'), Buffer.from(Array.from({ length: 200_000 }, () => Math.floor(random() * 256))));
afterAll(() => rmSync(folder, { recursive: true }));

const has = (tool: string): boolean => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
const sh = (line: string, cwd = join(folder, 'in')): void =>
  void execFileSync('sh', ['-c', line], { cwd, stdio: 'pipe' });
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));
const tick = (): void => undefined;

const made: readonly [format: string, tool: string, line: string, password: string | null][] = [
  ['zip', 'zip', 'zip -qr $OUT.zip . && mv $OUT.zip $OUT', null],
  ['zip', 'zip', 'zip -qr -P malware $OUT.zip . && mv $OUT.zip $OUT', 'malware'],
  ['zip', '7z', '7z a -tzip -mem=AES256 -pinfected $OUT.zip . && mv $OUT.zip $OUT', 'infected'],
  ['zip', 'zip', 'cat a.txt | zip -q -fz $OUT.zip - sub/b.bin && mv $OUT.zip $OUT', null],
  ['7z', '7z', '7z a $OUT.7z . && mv $OUT.7z $OUT', null],
  ['7z', '7z', '7z a -pvirus -mhe=on $OUT.7z . && mv $OUT.7z $OUT', 'virus'],
  ['tar', 'tar', 'tar cf $OUT .', null],
  ['tar.gzip', 'tar', 'tar czf $OUT .', null],
  ['tar.bzip2', 'bzip2', 'tar cjf $OUT .', null],
  ['tar.xz', 'xz', 'tar cJf $OUT .', null],
  ['tar.zstd', 'zstd', 'tar c . | zstd -q -o $OUT', null],
  ['cab', 'gcab', 'gcab -cn $OUT a.txt sub/b.bin', null],
  ['iso', 'genisoimage', 'genisoimage -quiet -J -R -o $OUT .', null],
  ['iso', 'genisoimage', 'genisoimage -quiet -udf -J -o $OUT .', null],
  ['wim', '7z', '7z a -twim $OUT.wim . && mv $OUT.wim $OUT', null],
];

describe('archives of other programs', () => {
  it.for(made)('%s by %s: %s', async ([format, tool, line, password], { skip }) => {
    if (!has(tool)) skip(`${tool} is not installed`);
    const name = `made-${made.findIndex((each) => each[2] === line)}`;
    sh(line.replaceAll('$OUT', join(folder, name)));
    const opened = await extractHere({ bytes: read(name), name: 'any', tick });
    expect([opened.format, opened.passwordUsed, opened.notes]).toEqual([format, password, []]);
    const bySize = opened.entries
      .map(({ bytes }) => Buffer.from(bytes))
      .toSorted((left, right) => left.length - right.length);
    expect(bySize).toEqual(Object.values(contents));
  });

  it.skipIf(!has('dpkg-deb'))('deb by dpkg-deb (skipped without it), with the scripts of the package', async () => {
    const control = 'Package: x\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@example.com>\\nDescription: x\\n';
    sh(
      `mkdir -p pk/DEBIAN pk/usr && printf '${control}' > pk/DEBIAN/control && cp in/a.txt pk/usr && dpkg-deb -b pk x.deb`,
      folder,
    );
    const { entries } = await extractHere({ bytes: read('x.deb'), limits: { depth: 1 }, tick });
    expect(entries.map(({ path }) => path.replace(/\.(?:xz|gz|zst)/, ''))).toEqual(
      expect.arrayContaining(['control.tar.unpacked/control', 'data.tar.unpacked/usr/a.txt']),
    );
  });

  it.skipIf(!has('msibuild'))('msi by msibuild (skipped without it)', async () => {
    const path = join(folder, 'made.msi');
    sh(`msibuild ${path} -s 'a title' 'an author' && msibuild ${path} -a marker.txt a.txt`);
    const listing = await listHere({ bytes: read('made.msi'), tick });
    expect(listing.format).toBe('compound');
    const { entries } = await extractHere({ bytes: read('made.msi'), tick });
    expect(entries.map(({ bytes }) => Buffer.from(bytes).toString())).toContain('a harmless marker\n');
  });

  it.skipIf(!has('7z'))('volumes by 7z (skipped without it), all of them or none', async () => {
    sh('7z a -v50k vol.7z random', folder);
    const volumes = ['vol.7z.001', 'vol.7z.002', 'vol.7z.003', 'vol.7z.004'].flatMap((name) => {
      try {
        return [{ name, bytes: read(name) }];
      } catch {
        return [];
      }
    });
    expect(volumes.length).toBeGreaterThan(1);
    const second = { bytes: read('vol.7z.002'), name: 'vol.7z.002', tick };
    const { entries } = await extractHere({ ...second, volumes });
    expect(Buffer.from(entries[0]?.bytes ?? []).equals(readFileSync(join(folder, 'random')))).toBe(true);
    await expect(extractHere(second)).rejects.toMatchObject({ hint: /vol\.7z\.001/ });
  });

  it.skipIf(!has('zip'))('zip with a password for each entry (skipped without it)', async () => {
    sh('zip -q -P one ../each.zip a.txt && zip -q -P two ../each.zip sub/b.bin');
    const order = { bytes: read('each.zip'), name: 'each.zip', tick };
    const both = await extractHere({ ...order, passwords: ['one', 'two'] });
    expect(both.entries.map(({ bytes }) => Buffer.from(bytes))).toEqual(Object.values(contents));
    expect([both.refused, both.notes]).toEqual([[], ['not one password opens every entry']]);
    const half = await extractHere({ ...order, passwords: ['two'] });
    expect(half.entries.map(({ path }) => path)).toEqual(['sub/b.bin']);
    expect(half.refused).toEqual([{ name: 'a.txt', because: 'encrypted, and the password is wrong' }]);
  });

  it.skipIf(!has('zip'))('split by zip (skipped without it)', async () => {
    sh('zip -q -s 64k split.zip random', folder);
    const volumes = ['split.z01', 'split.z02', 'split.z03'].flatMap((name) => ({ name, bytes: read(name) }));
    const { entries } = await extractHere({ bytes: read('split.zip'), name: 'split.zip', volumes, tick });
    expect(entries[0]?.sizeBytes).toBe(200_000);
    await expect(extractHere({ bytes: read('split.z01'), name: 'split.z01', tick })).rejects.toMatchObject({
      hint: /split\.zip/,
    });
  });
});

describe('our archives in other programs', () => {
  const files = Object.entries(contents).map(([name, bytes]) => ({ name, bytes }));

  it.skipIf(!has('unzip'))('unzip opens the old cipher (skipped without it)', async () => {
    const { bytes } = await createHere({ files, password: 'infected', format: 'zip', cipher: 'zipcrypto' });
    writeFileSync(join(folder, 'old.zip'), bytes);
    const out = execFileSync('unzip', ['-P', 'infected', '-p', join(folder, 'old.zip'), 'a.txt']);
    expect(out).toEqual(contents['a.txt']);
  });

  it.skipIf(!has('7z')).each(['zip', '7z'] as const)(
    '7z opens %s with AES-256 (skipped without it)',
    async (format) => {
      const { bytes } = await createHere({ files, password: '-p a "b', format });
      writeFileSync(join(folder, `aes.${format}`), bytes);
      const out = execFileSync('7z', ['e', '-so', '-p-p a "b', join(folder, `aes.${format}`), 'sub/b.bin'], {
        stdio: 'pipe',
      });
      expect(out.equals(contents['sub/b.bin'] ?? Buffer.alloc(0))).toBe(true);
    },
  );
});
