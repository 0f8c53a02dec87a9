import { describe, expect, it } from 'vitest';
import { office } from '../../../../src/instruments/lab/analysers/office/office.ts';
import { analyseSample, rulesOf } from './analyse-sample.ts';
import { survivesDamage } from './fuzz.ts';
import { makeDdeDoc, makeDoc, makeEquationDoc, makeMacroDoc, makePackageDoc, makeStompedDoc } from './make-doc.ts';
import { defaultPassword, makeAgile, makeStandard } from './make-encrypted.ts';
import { makeEncryptedXls } from './make-encrypted-xls.ts';
import {
  makeDdeDocx,
  makeDocm,
  makeDocx,
  makeLadenDocx,
  makeTemplateInjection,
  makeXlmWorkbook,
} from './make-ooxml.ts';
import { harmlessSource } from './make-vba.ts';
import { makeWorkbookStream, makeXls } from './make-xls.ts';

const dropperRules = [
  'office.macro.auto-exec',
  'office.macro.create-object',
  'office.macro.decoded-strings',
  'office.macro.environment',
  'office.macro.obfuscation',
  'office.macro.run-program',
  'office.macro.vba',
];
const noMacros = { has_vba_macros: false, has_xlm_macros: false, encrypted: false };
const decoded = ['http://payload.example.com/stage.bin?id=123', 'https://hex.example.com/a', 'WScript.Shell'];

interface Expected {
  readonly what: string;
  readonly make: () => Buffer;
  readonly facts: Record<string, unknown>;
  readonly rules: readonly string[];
  readonly children?: readonly string[];
}

const table: readonly Expected[] = [
  {
    what: 'a plain docx has no macros',
    make: () => makeDocx(),
    facts: {
      ...noMacros,
      document_type: 'Word document',
      declares_macros: false,
      properties: expect.objectContaining({ author: 'Sample Author', title: 'Sample & title' }),
    },
    rules: [],
  },
  {
    what: 'a plain doc has no macros',
    make: () => makeDoc(),
    facts: {
      ...noMacros,
      document_type: 'Word document',
      properties: expect.objectContaining({ author: 'Sample Author', created: '2024-05-06T07:08:09.000Z' }),
    },
    rules: [],
  },
  {
    what: 'a project without code is no macro',
    make: () => makeDocx({ modules: [{ name: 'ThisDocument', source: '', isDocument: true }] }),
    facts: { ...noMacros, has_vba_project: true },
    rules: [],
  },
  {
    what: 'a harmless macro',
    make: () => makeDocm(harmlessSource),
    facts: { has_vba_macros: true, vba_code_page: 1252 },
    rules: ['office.macro.vba'],
  },
  {
    what: 'a macro in a docm',
    make: () => makeDocm(),
    facts: {
      has_vba_macros: true,
      vba_auto_procedures: ['AutoOpen', 'Document_Open'],
      vba_decoded_strings: expect.arrayContaining(decoded),
    },
    rules: dropperRules,
  },
  {
    what: 'a macro in a doc',
    make: makeMacroDoc,
    facts: { has_vba_macros: true, vba_decoded_strings: expect.arrayContaining(decoded), vba_project_name: 'Sample' },
    rules: dropperRules,
  },
  {
    what: 'a macro without its source',
    make: makeStompedDoc,
    facts: {
      has_vba_macros: true,
      vba_source_mismatch: true,
      vba_names_only_compiled: ['AutoOpen', 'Shell', 'CreateObject'],
    },
    rules: ['office.macro.source-mismatch'],
  },
  {
    what: 'a template elsewhere',
    make: () => makeTemplateInjection(),
    facts: {
      ...noMacros,
      external_relationships: [
        {
          part: 'word/_rels/settings.xml.rels',
          type: 'attachedTemplate',
          target: 'http://template.example.com/a.dotm',
        },
      ],
    },
    rules: ['office.remote-template'],
  },
  {
    what: 'a field cut into runs',
    make: makeDdeDocx,
    facts: { ...noMacros, dde_fields: ['DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k echo dde.example.com"'] },
    rules: ['office.dde'],
  },
  {
    what: 'fields of a doc',
    make: makeDdeDoc,
    facts: {
      dde_fields: ['DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k echo doc.example.com"'],
      hyperlinks: ['"https://link.example.com/a"'],
    },
    rules: ['office.dde'],
  },
  {
    what: 'a packed file, a control, a ribbon and links',
    make: makeLadenDocx,
    facts: {
      ...noMacros,
      custom_ui_on_load: 'RibbonLoaded',
      hyperlinks: ['https://link.example.com/'],
      activex_controls: [
        {
          part: 'word/activeX/activeX1.xml',
          clsid: '8856F961-340A-11D0-A96B-00C04FD705A2',
          class: 'Web browser control',
        },
      ],
      embedded_packages: [
        expect.objectContaining({ name: 'invoice.js', source_path: 'C:\\Users\\sample\\invoice.js', bytes: 23 }),
      ],
    },
    rules: [
      'office.activex',
      'office.custom-ui.callback',
      'office.embedded.executable-name',
      'office.embedded.object',
      'office.embedded.package',
      'office.remote-object',
      'office.remote-part',
      'office.remote-scheme',
    ],
    children: ['invoice.js', 'oleObject1.bin'],
  },
  {
    what: 'a packed file in a doc',
    make: makePackageDoc,
    facts: {
      ...noMacros,
      embedded_packages: [expect.objectContaining({ name: 'run.bat', temporary_path: 'C:\\Temp\\run.bat' })],
    },
    rules: ['office.embedded.executable-name', 'office.embedded.package'],
    children: ['run.bat'],
  },
  {
    what: 'a formula of the old editor',
    make: makeEquationDoc,
    facts: noMacros,
    rules: ['office.embedded.equation'],
    children: ['equation-native.bin'],
  },
  {
    what: 'macros of Excel 4 in an xls',
    make: makeXls,
    facts: {
      has_xlm_macros: true,
      has_vba_macros: false,
      sheets: [
        { name: 'Sheet1', type: 'worksheet', state: 'visible' },
        { name: 'Macro1', type: 'macro sheet', state: 'very hidden' },
      ],
      xlm_cells: [
        'Macro1!A1 =EXEC("cmd.exe /c echo "&CHAR(120)&CHAR(108)&"s.example.com")',
        'Macro1!A2 =CALL("kernel32","Sleep","JJ",1)',
        'Macro1!A3 =HALT()',
      ],
      xlm_decoded_strings: ['cmd.exe /c echo xls.example.com'],
      defined_names: [{ name: 'Auto_Open', is_hidden: false, refers_to: '=Macro1!A1' }],
    },
    rules: ['office.macro.xlm', 'office.xlm.auto-open', 'office.xlm.functions', 'office.xlm.hidden-sheet'],
  },
  {
    what: 'macros of Excel 4 in an xlsm',
    make: makeXlmWorkbook,
    facts: { has_xlm_macros: true, has_vba_macros: false, xlm_decoded_strings: ['cmd.exe /c echo xlm.example.com'] },
    rules: [
      'office.dde',
      'office.macro.xlm',
      'office.xlm.auto-open',
      'office.xlm.functions',
      'office.xlm.hidden-sheet',
    ],
  },
];

describe('documents', () => {
  it.each(table)('$what', async ({ make, facts, rules, children }) => {
    const result = await analyseSample(office, make());
    expect(result.facts).toMatchObject(facts);
    expect(rulesOf(result)).toEqual([...rules]);
    expect(result.children.map(({ name }) => name)).toEqual(children ?? []);
    expect(result.notes).toEqual([]);
  });

  it('hands over the sources and the decoded strings for the search of indicators', async () => {
    const { texts } = await analyseSample(office, makeDocm());
    expect(texts.map(({ label }) => label)).toEqual(['macro Module1', 'decoded strings of macro Module1']);
    expect(texts[0]?.text).toContain('shellObject.Run "cmd.exe /c echo "');
  });
});

it('takes a workbook out of a document, and its macros are found there', async () => {
  const outer = await analyseSample(office, makeDoc({ streams: { 'ObjectPool/_1/Workbook': makeWorkbookStream() } }));
  expect(outer.children.map(({ name }) => name)).toEqual(['_1.ole']);
  const inner = await analyseSample(office, outer.children[0]?.bytes ?? new Uint8Array());
  expect(inner.facts).toMatchObject({ document_type: 'Excel workbook', has_xlm_macros: true });
});

describe('encrypted documents', () => {
  it.each([
    [
      'agile with the default password',
      () => makeAgile(defaultPassword),
      [],
      'agile, AES-256, sha512, 100000 rounds',
      'default password',
      () => makeDocm(),
    ],
    [
      'standard with a given password',
      () => makeStandard('s3cret'),
      ['s3cret'],
      'standard, AES-128',
      'given password',
      () => makeDocx(),
    ],
    [
      'standard with the default password',
      () => makeStandard(defaultPassword),
      [],
      'standard, AES-128',
      'default password',
      () => makeDocx(),
    ],
  ] as const)('%s', async (_what, make, passwords, method, how, plain) => {
    const result = await analyseSample(office, make(), { passwords });
    expect(result.facts).toMatchObject({
      encrypted: true,
      encryption_method: method,
      decrypted: true,
      decrypted_with: how,
    });
    expect(Buffer.from(result.children[0]?.bytes ?? [])).toEqual(plain());
  });

  it('takes the encryption of Excel 97 off and finds the macros under it', async () => {
    const locked = await analyseSample(office, makeEncryptedXls(defaultPassword));
    expect(locked.facts).toMatchObject({
      encrypted: true,
      encryption_method: 'RC4',
      decrypted_with: 'default password',
      has_xlm_macros: false,
    });
    const open = await analyseSample(office, locked.children[0]?.bytes ?? new Uint8Array());
    expect(open.facts).toMatchObject({
      encrypted: false,
      has_xlm_macros: true,
      xlm_decoded_strings: ['cmd.exe /c echo xls.example.com'],
    });
  });

  it('says so when no password fits', async () => {
    const result = await analyseSample(office, makeStandard('unknown'));
    expect(result.facts).toMatchObject({ encrypted: true, decrypted: false, has_vba_macros: false });
    expect(rulesOf(result)).toEqual(['office.encrypted']);
    expect(result.children).toEqual([]);
  });
});

describe('damaged documents', () => {
  it('throw nothing', async () => {
    // Passwords take long: encrypted ones are damaged in the long run only.
    const encrypted = process.env.HOTCELL_FUZZ_RUNS === undefined ? [] : [makeStandard(defaultPassword)];
    const samples = [...table.map(({ make }) => make()), makeEncryptedXls(defaultPassword), ...encrypted];
    await survivesDamage(office, samples);
  }, 3_600_000);
});
