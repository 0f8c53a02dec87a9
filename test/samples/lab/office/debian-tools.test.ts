import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { mail } from '../../../../src/instruments/lab/analysers/mail/mail.ts';
import { readCompoundFile } from '../../../../src/instruments/lab/analysers/office/index.ts';
import { office } from '../../../../src/instruments/lab/analysers/office/office.ts';
import { makeSampleMsg } from '../mail/make-msg.ts';
import { analyseSample } from './analyse-sample.ts';
import { survivesDamage } from './fuzz.ts';
import { makeDoc } from './make-doc.ts';
import { ask, findProgram } from './oracles.ts';

const execute = promisify(execFile);
const [exiftool, sevenZip, msibuild, msiinfo] = await Promise.all(
  ['exiftool', '7z', 'msibuild', 'msiinfo'].map(findProgram),
);
const missing = (name: string, path: string | null | undefined): string => (path ? '' : `(${name} is not installed)`);

describe.skipIf(!exiftool)(`properties as exiftool sees them ${missing('exiftool', exiftool)}`, () => {
  it.each([
    [
      'a.doc',
      () => makeDoc(),
      { author: 'Author', title: 'Title', application: 'Software', last_author: 'LastModifiedBy' },
    ],
  ] as const)('%s', async (name, make, pairs) => {
    const said = JSON.parse(await ask(exiftool ?? '', (file) => ['-json', file], make(), name)) as readonly Record<
      string,
      string
    >[];
    const { facts } = await analyseSample(office, make());
    const expected = Object.fromEntries(Object.entries(pairs).map(([ours, theirs]) => [ours, said[0]?.[theirs]]));
    expect(facts.properties).toMatchObject(expected);
  });
});

describe.skipIf(!sevenZip)(`compound files of ours as 7z sees them ${missing('7z', sevenZip)}`, () => {
  it('a message that was taken out of another one', async () => {
    const outer = await analyseSample(mail, makeSampleMsg());
    const inner = Buffer.from(outer.children.find(({ how }) => how === 'attached message')?.bytes ?? []);
    const said = await ask(sevenZip ?? '', (file) => ['l', '-slt', '-tCompound', file], inner, 'a.msg');
    const theirs = [...said.matchAll(/^Path = (.+)\nSize = (\d+)$/gm)].map(([, path, size]) => `${path} ${size}`);
    const streams = (readCompoundFile(inner, () => undefined)?.entries ?? []).filter(({ type }) => type === 'stream');
    expect(theirs.toSorted()).toEqual(streams.map(({ path, size }) => `${path} ${size}`).toSorted());
    expect(theirs.length).toBeGreaterThan(10);
  });
});

async function makeMsi(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'hotcell-msi-'));
  try {
    const path = join(folder, 'a.msi');
    const tables = {
      'Property.idt':
        'Property\tValue\r\ns72\tl0\r\nProperty\tProperty\r\nProductName\tSample Product\r\nManufacturer\tSample Maker\r\n',
      'CustomAction.idt':
        'Action\tType\tSource\tTarget\r\ns72\ti2\tS72\tS255\r\nCustomAction\tAction\r\nRunScript\t38\t\tMsgBox "msi.example.com"\r\nSetFolder\t51\tINSTALLDIR\tC:\\Sample\r\n',
    };
    for (const [name, content] of Object.entries(tables)) await writeFile(join(folder, name), content);
    await execute(msibuild ?? '', [
      path,
      '-s',
      'Sample',
      'Sample Author',
      ';1033',
      '{00000000-0000-0000-0000-000000000000}',
    ]);
    for (const name of Object.keys(tables)) await execute(msibuild ?? '', [path, '-i', join(folder, name)]);
    await writeFile(join(folder, 'payload'), 'a file in the installer');
    await execute(msibuild ?? '', [path, '-a', 'payload.cab', join(folder, 'payload')]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!msibuild || !msiinfo)(`installer packages made by msitools ${missing('msitools', msibuild)}`, () => {
  it('tables, properties, actions and streams', async () => {
    const sample = await makeMsi();
    const result = await analyseSample(office, sample);
    expect(result.facts).toMatchObject({
      document_type: 'Windows Installer package',
      installer_properties: { ProductName: 'Sample Product', Manufacturer: 'Sample Maker' },
      custom_actions: [
        { action: 'RunScript', type: 38, what: 'VBScript', from: 'text or folder', target: 'MsgBox "msi.example.com"' },
        { action: 'SetFolder', type: 51, what: 'set property', source: 'INSTALLDIR', target: 'C:\\Sample' },
      ],
      has_vba_macros: false,
    });
    expect(result.findings.map(({ rule }) => rule)).toEqual(['msi.custom-action.script']);
    expect(result.children.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['payload.cab', 'a file in the installer'],
    ]);
    const said = await ask(msiinfo ?? '', (file) => ['tables', file], sample, 'a.msi');
    const theirs = said.split('\n').filter((name) => name !== '' && !name.startsWith('_'));
    expect((result.facts.tables as readonly string[]).toSorted()).toEqual(theirs.toSorted());
  });

  it('throw nothing when damaged', async () => {
    await survivesDamage(office, [await makeMsi()]);
  }, 3_600_000);
});
