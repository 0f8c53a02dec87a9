import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../src/base/errors.ts';
import { describePlaces, mebibyte, quick } from './cases.ts';

describePlaces((place) => {
  const here = mkdtempSync(join(tmpdir(), 'hotcell-here-'));
  afterAll(() => rmSync(here, { recursive: true, force: true }));

  const names = [
    'plain',
    'with space',
    'quo\'te"s',
    'new\nline',
    '-dash',
    'é漢🜲',
    ' lead ',
    '$(id)',
    'a\\b',
    '*',
    'x\n',
    '%s',
  ];

  it('carries files both ways, whatever they are called', async () => {
    const content = randomBytes(3000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const carry = async (file: string): Promise<void> => {
      const path = `${place.folder}/names/${file}`;
      const receipt = { path, sizeBytes: content.length, sha256 };
      expect(await place.at.put(path, content)).toEqual(receipt);
      const got = await place.at.get(path, { maxBytes: 3000 });
      expect(got.receipt).toEqual(receipt);
      expect(got.content.equals(content)).toBe(true);
    };
    await Promise.all(names.map(carry));
  });

  it('carries five megabytes from file to file', async () => {
    const content = randomBytes(5 * mebibyte);
    const from = join(here, 'from');
    writeFileSync(from, content);
    const sent = await place.at.put(`${place.folder}/big`, { file: from }, { mode: 0o640 });
    const got = await place.at.getToFile(`${place.folder}/big`, join(here, 'to'), { maxBytes: content.length });
    expect(got.sha256).toBe(sent.sha256);
    expect(readFileSync(join(here, 'to')).equals(content)).toBe(true);
    expect(await place.at.stat(`${place.folder}/big`)).toMatchObject({
      mode: 0o640,
      sizeBytes: content.length,
      type: 'file',
    });
    await expect(
      place.at.getToFile(`${place.folder}/big`, join(here, 'to'), { maxBytes: content.length }),
    ).rejects.toThrow(UsageError);
    await expect(place.at.getToFile(`${place.folder}/big`, join(here, 'cut'), { maxBytes: 1000 })).rejects.toThrow(
      /5242880.*1000/,
    );
    expect(readdirSync(here).toSorted()).toEqual(['from', 'to']);
  });

  it('overwrites only when told, and carries nothing at all too', async () => {
    const path = `${place.folder}/once`;
    expect(await place.at.put(path, Buffer.alloc(0))).toMatchObject({ sizeBytes: 0 });
    expect(await place.at.stat(path)).toMatchObject({ mode: 0o600 });
    await expect(place.at.put(path, Buffer.from('two'))).rejects.toThrow(UsageError);
    await place.at.put(path, Buffer.from('two'), { isOverwriteAllowed: true });
    expect((await place.at.get(path, { maxBytes: 10 })).content.toString()).toBe('two');
    await expect(place.at.put(place.folder, Buffer.from('x'), { isOverwriteAllowed: true })).rejects.toThrow(
      UsageError,
    );
    await expect(place.at.get(place.folder, { maxBytes: 10 })).rejects.toThrow(UsageError);
    await expect(place.at.get(`${place.folder}/none`, { maxBytes: 10 })).rejects.toThrow(UsageError);
    await expect(place.at.get('/dev/zero', { maxBytes: 10 })).rejects.toThrow(UsageError);
    await expect(place.at.put(`${place.folder}/new`, { file: join(here, 'none') })).rejects.toThrow(UsageError);
    await expect(place.at.put('relative', Buffer.from('x'))).rejects.toThrow(UsageError);
    const { entries } = await place.at.list(place.folder, 100);
    expect(entries.filter((entry) => entry.name.includes('.part'))).toEqual([]);
  });

  it('looks at what is there, and follows links only when asked', async () => {
    await place.at.put(`${place.folder}/links/target`, Buffer.from('12345'), { mode: 0o4755 });
    const line = 'ln -s target to; ln -s none lost; ln -s loop loop; ln -s "a\nb " odd; ln -s .. up';
    await place.at.shell(line, { ...quick, cwd: `${place.folder}/links` });
    expect(await place.at.stat(`${place.folder}/links/target`)).toMatchObject({
      name: 'target',
      type: 'file',
      sizeBytes: 5,
      mode: 0o4755,
    });
    expect(await place.at.stat(`${place.folder}/links/to`)).toMatchObject({ type: 'link', linkTarget: 'target' });
    expect(await place.at.stat(`${place.folder}/links/odd`)).toMatchObject({ type: 'link', linkTarget: 'a\nb ' });
    expect(await place.at.stat(`${place.folder}/links/none`)).toBeNull();
    expect(await place.at.stat(`${place.folder}/links/target/below`)).toBeNull();
    expect(await place.at.realPath(`${place.folder}/links/to`)).toBe(`${place.folder}/links/target`);
    expect(await place.at.realPath(`${place.folder}/links/up/links/to`)).toBe(`${place.folder}/links/target`);
    expect(await place.at.realPath(`${place.folder}/links/lost`)).toBeNull();
    expect(await place.at.realPath(`${place.folder}/links/loop`)).toBeNull();
    expect(await place.at.stat('/dev/null')).toMatchObject({ type: 'other' });
    const changed = Date.parse((await place.at.stat(`${place.folder}/links/target`))?.changedAt ?? '');
    expect(Math.abs(changed - Date.now())).toBeLessThan(3_600_000);
  });

  it('lists every entry, by name', async () => {
    const path = `${place.folder}/list`;
    await place.at.makeFolder(`${path}/folder`);
    const script = 'for one do : >"./$one"; done; ln -s "$1" link; : >.hidden; : >..two';
    await place.at.exec(['/bin/sh', '-c', script, 'x', ...names], { ...quick, cwd: path });
    const { entries, hasMore } = await place.at.list(path, 100);
    const wanted = [...names, 'folder', 'link', '.hidden', '..two'];
    expect(entries.map((entry) => entry.name)).toEqual(
      wanted.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    expect(hasMore).toBe(false);
    expect(entries.find((entry) => entry.name === 'link')).toMatchObject({ type: 'link', linkTarget: 'plain' });
    expect(entries.find((entry) => entry.name === 'folder')).toMatchObject({ type: 'folder' });
    const some = await place.at.list(path, 3);
    expect(some.entries.map((entry) => entry.name)).toEqual(entries.slice(0, 3).map((entry) => entry.name));
    expect(some.hasMore).toBe(true);
    expect((await place.at.list('/dev', 1000)).entries.find((entry) => entry.name === 'null')).toMatchObject({
      type: 'other',
    });
    await place.at.makeFolder(`${path}/empty`);
    expect(await place.at.list(`${path}/empty`, 10)).toEqual({ entries: [], hasMore: false });
    await expect(place.at.list(`${path}/none`, 10)).rejects.toThrow(UsageError);
    await expect(place.at.list(`${path}/plain`, 10)).rejects.toThrow(UsageError);
    await expect(place.at.makeFolder(`${path}/plain`)).rejects.toThrow(UsageError);
  });

  it('lists a thousand entries', async () => {
    const path = `${place.folder}/many`;
    await place.at.makeFolder(path);
    await place.at.shell('n=0; while [ $n -lt 1000 ]; do : >"file $n"; n=$((n + 1)); done', { ...quick, cwd: path });
    const { entries, hasMore } = await place.at.list(path, 900);
    expect([entries.length, hasMore]).toEqual([900, true]);
    expect(entries[1]?.name).toBe('file 1');
  });

  it('gives up a transfer that is cancelled, and leaves nothing', async () => {
    const abort = new AbortController();
    const putting = place.at.put(`${place.folder}/cancelled/file`, randomBytes(20 * mebibyte), {
      signal: abort.signal,
    });
    await sleep(30);
    abort.abort();
    await expect(putting).rejects.toThrow(HostError);
    const left = await place.at.list(`${place.folder}/cancelled`, 10).catch(() => ({ entries: [] }));
    expect(left.entries).toEqual([]);
  });
});
