import { describe, expect, it } from 'vitest';
import { findPythonPackages } from '../../../../scripts/tests/python-packages.ts';
import { readCompoundFile } from '../../../../src/instruments/lab/analysers/office/index.ts';
import { office } from '../../../../src/instruments/lab/analysers/office/office.ts';
import { rtf } from '../../../../src/instruments/lab/analysers/rtf/rtf.ts';
import {
  makeBinaryRtf,
  makeEquationRtf,
  makeGroupedRtf,
  makeHiddenRtf,
  makePackageRtf,
  makePlainRtf,
  plainNoise,
} from '../rtf/make-rtf.ts';
import { analyseSample } from './analyse-sample.ts';
import { makeDdeDoc, makeDoc, makeMacroDoc, makePackageDoc } from './make-doc.ts';
import { makeStandard } from './make-encrypted.ts';
import { makeEncryptedXls } from './make-encrypted-xls.ts';
import { makeDdeDocx, makeDocm, makeDocx, makeLadenDocx, makeTemplateInjection } from './make-ooxml.ts';
import { makeXls } from './make-xls.ts';
import { ask } from './oracles.ts';

/** The same facts, asked of oletools and msoffcrypto-tool. */

const { python, reason } = await findPythonPackages(['oletools', 'msoffcrypto-tool']);

interface VbaReport {
  readonly macros?: readonly { readonly vba_filename: string; readonly code: string }[];
  readonly analysis?: readonly { readonly type: string; readonly keyword: string }[];
}

describe.skipIf(python === null)(`documents as oletools sees them ${reason}`, () => {
  const tool =
    (module: string, ...words: readonly string[]) =>
    async (sample: Buffer, name: string) =>
      await ask(python ?? '', (file) => ['-m', module, ...words, file], sample, name);

  it.each([
    ['m.docm', makeDocm],
    ['m.doc', makeMacroDoc],
  ])('the sources of macros in %s', async (name, make) => {
    const reports = JSON.parse(await tool('oletools.olevba', '--json')(make(), name)) as readonly VbaReport[];
    const theirs = reports.flatMap(({ macros }) => macros ?? []).filter(({ code }) => code.trim() !== '');
    const result = await analyseSample(office, make());
    const ours = result.texts.filter(({ label }) => label.startsWith('macro '));
    const lines = (text: string): string[] =>
      text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('Attribute'));
    expect(ours.map(({ text }) => lines(text))).toEqual(theirs.map(({ code }) => lines(code)));
    const keywords = reports.flatMap(({ analysis }) => analysis ?? []);
    const automatic = keywords.filter(({ type }) => type === 'AutoExec').map(({ keyword }) => keyword);
    expect(result.facts.vba_auto_procedures).toEqual(automatic);
    const hex = keywords.filter(({ type }) => type === 'Hex String').map(({ keyword }) => keyword);
    expect(result.facts.vba_decoded_strings).toEqual(expect.arrayContaining(hex));
  });

  it('the streams of a compound file', async () => {
    const script =
      'import sys, olefile\nf=olefile.OleFileIO(sys.argv[1])\nfor e in f.listdir(): print("/".join(e).encode("unicode_escape").decode(), f.get_size(e))';
    const said = await ask(python ?? '', (file) => ['-c', script, file], makeMacroDoc(), 'a.doc');
    const { facts } = await analyseSample(office, makeMacroDoc());
    const ours = (facts.streams as readonly { path: string; bytes: number }[]).map(
      ({ path, bytes }) => `${path} ${bytes}`,
    );
    expect(ours.toSorted()).toEqual(said.trim().split('\n').toSorted());
  });

  it('the macros of Excel 4', async () => {
    const said = await tool('oletools.olevba')(makeXls(), 'x.xls');
    expect(said).toMatch(/Auto_Open/);
    expect(said).toMatch(/EXEC/);
    expect((await analyseSample(office, makeXls())).facts).toMatchObject({ has_xlm_macros: true });
  });

  it.each([
    ['a.docx', () => makeDocx(), false, 0],
    ['b.doc', () => makeDoc(), false, 0],
    ['c.docx', () => makeTemplateInjection(), false, 1],
    ['d.docm', () => makeDocm(), true, 0],
  ] as const)('whether %s has macros and points outside', async (name, make, hasMacros, outside) => {
    const said = await tool('oletools.oleid')(make(), name);
    expect(/VBA Macros\s*\|Yes/.test(said)).toBe(hasMacros);
    const { facts } = await analyseSample(office, make());
    expect(facts.has_vba_macros).toBe(hasMacros);
    if (!name.endsWith('.doc')) expect(Number(/External\s*\|(\d+)/.exec(said)?.[1])).toBe(outside);
    expect((facts.external_relationships as readonly unknown[] | undefined)?.length ?? 0).toBe(outside);
  });

  it.each([
    ['a.docx', makeDdeDocx],
    ['b.doc', makeDdeDoc],
  ])('the fields of %s', async (name, make) => {
    const said = await tool('oletools.msodde')(make(), name);
    const theirs = said.split('\n').filter((line) => line.trim().startsWith('DDE') && !line.startsWith('DDE Links'));
    expect((await analyseSample(office, make())).facts.dde_fields).toEqual(theirs.map((line) => line.trim()));
  });

  it.each([
    ['a.docx', makeLadenDocx],
    ['b.doc', makePackageDoc],
  ])('the files packed into %s', async (name, make) => {
    const said = await tool('oletools.oleobj')(make(), name);
    const { facts } = await analyseSample(office, make());
    expect(facts.embedded_packages).toMatchObject([
      {
        name: /Filename = "(.*)"/.exec(said)?.[1],
        source_path: /Source path = "(.*)"/.exec(said)?.[1],
        temporary_path: /Temp path = "(.*)"/.exec(said)?.[1],
      },
    ]);
  });

  it.each([
    ['plain', makePlainRtf],
    ['package', makePackageRtf],
    ['equation', makeEquationRtf],
    ['noise', () => makeHiddenRtf(plainNoise)],
    ['digits in an unknown group', makeGroupedRtf],
    ['binary', makeBinaryRtf],
  ])('the objects of an RTF document: %s', async (_what, make) => {
    const script =
      'import sys\nfrom oletools.rtfobj import RtfObjParser\np=RtfObjParser(open(sys.argv[1],"rb").read())\np.parse()\nfor o in p.objects: print(len(o.rawdata), (o.class_name or b"").decode().strip("\\0"), o.filename or "")';
    const said = await ask(python ?? '', (file) => ['-c', script, file], make(), 'a.rtf');
    const { facts } = await analyseSample(rtf, make());
    const objects = (facts.objects ?? []) as readonly { bytes: number; class: string }[];
    const packages = (facts.embedded_packages ?? []) as readonly { name: string }[];
    const ours = objects.map((one, index) => `${one.bytes} ${one.class} ${packages[index]?.name ?? ''}`.trim());
    expect(ours).toEqual(
      said
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    );
  });

  it('the cells that msoffcrypto-tool finds in an encrypted workbook', async () => {
    const script =
      'import sys, io, base64, msoffcrypto, olefile\nf=msoffcrypto.OfficeFile(open(sys.argv[1],"rb"))\nf.load_key(password="s3cret")\no=io.BytesIO()\nf.decrypt(o)\nprint(base64.b64encode(olefile.OleFileIO(o).openstream("Workbook").read()).decode())';
    const sample = makeEncryptedXls('s3cret');
    const said = Buffer.from(await ask(python ?? '', (file) => ['-c', script, file], sample, 'a.xls'), 'base64');
    const { children } = await analyseSample(office, sample, { passwords: ['s3cret'] });
    const file = readCompoundFile(children[0]?.bytes ?? new Uint8Array(), () => undefined);
    const entry = file?.find('Workbook');
    const ours = file === null || entry === undefined ? Buffer.alloc(0) : Buffer.from(file.read(entry));
    // The record of the protection itself is blanked by each in its own way.
    expect(ours.subarray(78).toString('hex')).toBe(said.subarray(78).toString('hex'));
    expect(ours.includes('s.example.com')).toBe(true);
  });

  it('what msoffcrypto-tool makes of an encrypted document', async () => {
    const script =
      'import sys, io, base64, msoffcrypto\nf=msoffcrypto.OfficeFile(open(sys.argv[1],"rb"))\nf.load_key(password="s3cret")\no=io.BytesIO()\nf.decrypt(o)\nprint(base64.b64encode(o.getvalue()).decode())';
    const sample = makeStandard('s3cret');
    const said = await ask(python ?? '', (file) => ['-c', script, file], sample, 'a.docx');
    const { children } = await analyseSample(office, sample, { passwords: ['s3cret'] });
    expect(Buffer.from(children[0]?.bytes ?? []).toString('base64')).toBe(said.trim());
  });
});
