import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeRar4, makeRar5 } from '../../../../test/samples/lab/archives/make-rar.ts';
import { makeTar } from '../../../../test/samples/lab/archives/make-tar.ts';
import { makeBomb, makeZip } from '../../../../test/samples/lab/archives/make-zip.ts';
import { fuzzAnalyser, inputOf } from '../../../../test/samples/lab/fuzz-analyser.ts';
import { archiveAnalyser } from './analyser.ts';
import { createHere } from './create.ts';

const marker = new TextEncoder().encode('a harmless marker');
const file = (name: string) => ({ name, bytes: marker });

describe('the archive analyser', () => {
  it('gives the listing as facts and the entries as children, what runs first', async () => {
    const bytes = makeZip([file('readme.txt'), file('run.js'), { name: 'dir/', bytes: new Uint8Array() }], 'a comment');
    const { facts, children, texts, notes } = await archiveAnalyser.analyse(inputOf(bytes, 'zip'));
    expect(facts).toMatchObject({
      is_readable: true,
      format: 'zip',
      entry_count: 3,
      total_size_bytes: 2 * marker.length,
      is_encrypted: false,
      password_used: null,
      comment: 'a comment',
      entries: [
        { name: 'readme.txt', type: 'file', size_bytes: marker.length, method: 'Store' },
        { name: 'run.js', type: 'file' },
        { name: 'dir', type: 'folder' },
      ],
    });
    expect(children).toEqual([
      { name: 'run.js', bytes: marker, how: 'entry of the archive' },
      { name: 'readme.txt', bytes: marker, how: 'entry of the archive' },
    ]);
    expect(texts).toEqual([{ label: 'comment of the archive', text: 'a comment' }]);
    expect(notes).toEqual([]);
  });

  it.each([
    ['archive.name.outside', makeZip([file('../../x.txt')])],
    ['archive.name.double-ending', makeZip([file('invoice.pdf.exe')])],
    ['archive.name.disguised', makeZip([file('x\u202efdp.exe')])],
    ['archive.name.disguised', makeZip([file(`photo.jpg${' '.repeat(60)}.exe`)])],
    ['archive.link.outside', makeTar([{ name: 'l', type: '2', linkName: '../../etc/passwd' }])],
    ['archive.script', makeZip([file('run.vbs')])],
    ['archive.nested', makeZip([file('inner.7z')])],
    ['archive.bomb', makeBomb(40_000_000)],
  ])('finds %s', async (rule, bytes) => {
    const { findings } = await archiveAnalyser.analyse(inputOf(bytes, 'zip'));
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  it('finds nothing in plain files', async () => {
    const bytes = makeZip([file('foo..txt'), file('a/b.c.d'), file('v1.2.exe')]);
    expect((await archiveAnalyser.analyse(inputOf(bytes, 'zip'))).findings).toEqual([]);
  });

  it('opens what is encrypted with the usual passwords, and says when it cannot', async () => {
    const open = await createHere({ files: [file('a.exe')], password: 'infected', format: '7z' });
    const opened = await archiveAnalyser.analyse(inputOf(open.bytes, '7z'));
    expect(opened.facts).toMatchObject({ password_used: 'infected', are_names_encrypted: true });
    expect(opened.children[0]?.bytes).toEqual(marker);
    const shut = await createHere({ files: [file('a.exe')], password: 'something else', format: 'zip' });
    const closed = await archiveAnalyser.analyse(inputOf(shut.bytes, 'zip'));
    expect(closed.findings.map(({ rule }) => rule)).toEqual(['archive.encrypted']);
    expect(closed.children).toEqual([]);
    expect(closed.notes).toEqual(['none of the passwords opens this archive']);
  });

  it('bears damage', async () => {
    const tar = makeTar([file('a'), file('b/c')]);
    const encrypted = await createHere({ files: [file('a.txt')], password: 'infected', format: 'zip' });
    const packed = await createHere({ files: [file('a.txt'), file('b.txt')], format: '7z' });
    const outcome = await fuzzAnalyser(archiveAnalyser, [
      { bytes: makeZip([{ ...file('a.txt'), isDeflated: true }, file('b')], 'note'), kind: 'zip' },
      { bytes: makeRar4([file('a'), file('b/c')]), kind: 'rar' },
      { bytes: makeRar5([file('a'), file('b/c')]), kind: 'rar' },
      { bytes: tar, kind: 'tar' },
      { bytes: Uint8Array.from(gzipSync(tar)), kind: 'gzip' },
      { bytes: encrypted.bytes, kind: 'zip' },
      { bytes: packed.bytes, kind: '7z' },
    ]);
    expect(outcome.problems).toEqual([]);
  });
});
