import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../../../base/limits.ts';
import { type Entry, fileEntry, folderEntry, type Snapshot, snapshotCaps, takeSnapshot } from './snapshot.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync('/tmp/hotcell-snapshot-');
});
afterEach(() => rmSync(root, { recursive: true }));

const none = new Map<string, Entry>();
const look = (known: ReadonlyMap<string, Entry> = none, caps: Partial<typeof snapshotCaps> = {}): Promise<Snapshot> =>
  takeSnapshot([{ hostFolder: root, insidePath: '/home/user' }], known, { ...snapshotCaps, ...caps });
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

function put(path: string, content: Uint8Array, mode = 0o644): [string, Entry] {
  writeFileSync(join(root, path), content);
  chmodSync(join(root, path), mode);
  return [`/home/user/${path}`, fileEntry(content, mode)];
}

function makeFolder(path: string): void {
  mkdirSync(join(root, path));
  chmodSync(join(root, path), 0o755);
}

describe('a snapshot', () => {
  it('tells files, folders, links and the rest apart', async () => {
    put('file', Buffer.from('abc'), 0o600);
    makeFolder('folder');
    put('folder/inner', Buffer.alloc(0));
    symlinkSync('/etc/passwd', join(root, 'link'));
    symlinkSync('/', join(root, 'folder/way-out'));
    const { entries, isTruncated } = await look();
    expect(isTruncated).toBe(false);
    expect([...entries.keys()]).toEqual(
      ['file', 'folder', 'folder/inner', 'folder/way-out', 'link'].map((path) => `/home/user/${path}`),
    );
    expect(entries.get('/home/user/file')).toEqual(fileEntry(Buffer.from('abc'), 0o600));
    expect(entries.get('/home/user/folder')).toEqual(folderEntry(0o755));
    expect(entries.get('/home/user/link')).toMatchObject({ type: 'link', linkTarget: '/etc/passwd' });
  });

  it.each([0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte + 7])(
    'hashes all of a file of %i bytes',
    async (size) => {
      const content = Buffer.alloc(size, 'some content ');
      put('file', content);
      expect((await look()).entries.get('/home/user/file')).toMatchObject({ sizeBytes: size, sha256: sha256(content) });
    },
  );

  it('reads what is known again, whatever its times say', async () => {
    const known = new Map([put('file', Buffer.from('before'))]);
    const { atime, mtime } = statSync(join(root, 'file'));
    writeFileSync(join(root, 'file'), 'behind');
    utimesSync(join(root, 'file'), atime, mtime);
    expect((await look(known)).entries.get('/home/user/file')?.sha256).toBe(sha256(Buffer.from('behind')));
  });

  it('lets no amount of new files hide those that are known', async () => {
    for (let number = 0; number < 20; number += 1) put(`a${number}`, Buffer.from('filler'));
    makeFolder('z');
    const known = new Map([put('z/last', Buffer.from('mine'))]).set('/home/user/z', folderEntry(0o755));
    const { entries, isTruncated } = await look(known, { entries: 5, hashAllBytes: 6 });
    expect(isTruncated).toBe(true);
    expect([...entries.keys()].filter((path) => !known.has(path))).toHaveLength(5);
    expect(entries.get('/home/user/z/last')?.sha256).toBe(sha256(Buffer.from('mine')));
    expect([...entries.values()].filter(({ sha256: hash }) => hash !== null)).toHaveLength(2);
  });

  it('reads no more of a known file that has grown than of any other', async () => {
    const known = new Map([put('file', Buffer.from('small'))]);
    writeFileSync(join(root, 'file'), 'larger than before');
    const { entries } = await look(known, { hashFileBytes: 10 });
    expect(entries.get('/home/user/file')).toMatchObject({ sizeBytes: 18, sha256: null });
  });

  it('goes only so deep', async () => {
    mkdirSync(join(root, 'a/b/c/d'), { recursive: true });
    const { entries, isTruncated } = await look(none, { depth: 2 });
    expect([...entries.keys()]).toEqual(['/home/user/a', '/home/user/a/b']);
    expect(isTruncated).toBe(true);
  });

  it('keeps names apart that are no UTF-8', async () => {
    for (const byte of [0xfe, 0xff]) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([byte])]), 'x');
    expect([...(await look()).entries.keys()]).toEqual(['/home/user/\xfe', '/home/user/\xff']);
  });
});
