import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fuzzAnalyser, inputOf, usedMs } from '../../../../../test/samples/lab/fuzz-analyser.ts';
import {
  actionPdf,
  damagedPdf,
  objectStreamPdf,
  pdfScript,
  plainPdf,
} from '../../../../../test/samples/lab/pdf/make-pdf.ts';
import type { AnalyserInput, AnalyserResult } from '../../contract.ts';
import { pdf } from './pdf.ts';

const analyse = (bytes: Uint8Array, more: Partial<AnalyserInput> = {}): AnalyserResult =>
  pdf.analyse(inputOf(bytes, 'pdf', more)) as AnalyserResult;
const rulesOf = (result: AnalyserResult): string[] => result.findings.map(({ rule }) => rule).sort();
const has = (tool: string): boolean =>
  spawnSync(tool, ['--version']).status === 0 || spawnSync(tool, ['-ver']).status === 0;

describe('facts', () => {
  const cases = [
    {
      name: 'plain',
      bytes: plainPdf(),
      facts: { version: '1.7', pages: 1, ends: 1, objects: 4, trailing_bytes: 0 },
      rules: [],
    },
    {
      name: 'actions',
      bytes: actionPdf(),
      facts: { pages: 1, streams: 2, filters: { ASCII85Decode: 1, FlateDecode: 2 } },
      rules: [
        'pdf.action.launch',
        'pdf.action.link',
        'pdf.action.open-script',
        'pdf.action.submit',
        'pdf.embedded-file',
        'pdf.embedded-program',
        'pdf.few-pages-with-link',
        'pdf.name.disguised',
        'pdf.script.exploit-idiom',
      ],
    },
    {
      name: 'object stream',
      bytes: objectStreamPdf(),
      facts: { objects: 6, objects_in_streams: 2, pages: 1 },
      rules: ['pdf.action.link', 'pdf.action.open-script', 'pdf.few-pages-with-link'],
    },
  ];
  it.each(cases)('$name', ({ bytes, facts, rules }) => {
    const result = analyse(bytes);
    expect(result.facts).toMatchObject(facts);
    expect(rulesOf(result)).toEqual(rules);
    expect(result.notes).toEqual([]);
  });

  it('reads the document information', () => {
    expect(analyse(plainPdf()).facts.info).toEqual({
      title: 'A (plain) page',
      author: 'ÄB',
      creation_date: '2024-01-31T12:00:00+01:00',
    });
  });

  it('unpacks the script and the attachment', () => {
    const { texts, children, facts } = analyse(actionPdf());
    expect(texts.map(({ text }) => text)).toContain(pdfScript);
    expect(children.map(({ name }) => name).sort()).toEqual(['object-4.js', 'tool.exe']);
    expect(facts.actions).toContainEqual({
      kind: 'Launch',
      trigger: 'AA/D',
      object: 9,
      detail: 'cmd.exe cmd.exe /c echo marker',
    });
    expect(facts.names).toMatchObject({ JavaScript: 1, JS: 1, OpenAction: 1, Launch: 1, EmbeddedFile: 1 });
  });

  it('reads what is damaged, prefixed, updated and appended to', () => {
    const result = analyse(damagedPdf());
    expect(result.facts).toMatchObject({ header_offset: 18, ends: 2, incremental_updates: 1 });
    expect(rulesOf(result)).toEqual(
      expect.arrayContaining(['pdf.data-after-end', 'pdf.header-not-first', 'pdf.action.launch']),
    );
    expect(result.texts.some(({ text }) => text.includes('second.example.com'))).toBe(true);
    expect(result.children.find(({ name }) => name === 'after-end')?.bytes.length).toBe(24);
  });
});

describe.skipIf(!has('qpdf'))('against qpdf (skipped where qpdf is not installed)', () => {
  const inFolder = <T>(work: (folder: string) => T): T => {
    const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
    try {
      return work(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const convert = (bytes: Uint8Array, ...options: string[]): Uint8Array =>
    inFolder((folder) => {
      writeFileSync(join(folder, 'in.pdf'), bytes);
      spawnSync('qpdf', [...options, join(folder, 'in.pdf'), join(folder, 'out.pdf')]);
      return new Uint8Array(readFileSync(join(folder, 'out.pdf')));
    });

  const weak = ['--allow-weak-crypto', '--encrypt', '', 'owner'];
  it.each([
    { name: 'RC4 40', options: [...weak, '40', '--'], cipher: 'rc4', revision: 2 },
    { name: 'RC4 128', options: [...weak, '128', '--use-aes=n', '--'], cipher: 'rc4', revision: 3 },
    { name: 'AES 128', options: [...weak, '128', '--use-aes=y', '--'], cipher: 'aes-128', revision: 4 },
    { name: 'AES 256', options: ['--encrypt', '', 'owner', '256', '--'], cipher: 'aes-256', revision: 6 },
    { name: 'AES 256, old', options: [...weak, '256', '--force-R5', '--'], cipher: 'aes-256', revision: 5 },
    {
      name: 'AES 256 with object streams',
      options: ['--object-streams=generate', '--encrypt', '', 'owner', '256', '--'],
      cipher: 'aes-256',
      revision: 6,
    },
  ])('opens $name with the empty password', ({ options, cipher, revision }) => {
    const { facts, texts, children, findings } = analyse(convert(actionPdf(), ...options));
    expect(facts.encryption).toMatchObject({
      handler: 'Standard',
      stream_cipher: cipher,
      revision,
      opened: true,
      password: '',
    });
    expect(texts.map(({ text }) => text)).toContain(pdfScript);
    expect(children.some(({ bytes }) => Buffer.from(bytes).includes('marker of a program'))).toBe(true);
    expect(findings.map(({ rule }) => rule)).toContain('pdf.action.launch');
    expect(texts.some(({ text }) => text.includes('https://link.example.com/login?a=1'))).toBe(true);
  });

  it('opens with a password that is given, and says so when there is none', () => {
    const bytes = convert(actionPdf(), '--encrypt', 'infected', 'owner', '256', '--');
    expect(analyse(bytes).facts.encryption).toMatchObject({ opened: false });
    expect(analyse(bytes).notes.join()).toContain('none of the passwords');
    expect(analyse(bytes, { passwords: ['x', 'infected'] }).facts.encryption).toMatchObject({ opened: true });
  });

  it('finds as many objects and pages as qpdf', () => {
    for (const bytes of [plainPdf(), actionPdf(), convert(actionPdf(), '--object-streams=generate')]) {
      inFolder((folder) => {
        writeFileSync(join(folder, 'in.pdf'), bytes);
        const json = JSON.parse(
          spawnSync('qpdf', ['--json=2', '--json-key=qpdf', '--json-key=pages', join(folder, 'in.pdf')], {
            encoding: 'utf8',
          }).stdout,
        ) as {
          pages: unknown[];
          qpdf: [unknown, Record<string, unknown>];
        };
        const { facts } = analyse(bytes);
        expect(facts.pages).toBe(json.pages.length);
        const inPlace = Object.keys(json.qpdf[1]).filter((key) => key.startsWith('obj:'));
        expect(inPlace.length).toBe(facts.objects);
      });
    }
  });
});

describe.skipIf(!has('exiftool'))('against exiftool (skipped where exiftool is not installed)', () => {
  it('agrees on version, pages and the title', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
    writeFileSync(join(folder, 'in.pdf'), plainPdf());
    const [json] = JSON.parse(execFileSync('exiftool', ['-j', join(folder, 'in.pdf')], { encoding: 'utf8' })) as Record<
      string,
      unknown
    >[];
    rmSync(folder, { recursive: true });
    const { facts } = analyse(plainPdf());
    expect(String(json?.PDFVersion)).toBe(facts.version);
    expect(json?.PageCount).toBe(facts.pages);
    expect({ title: json?.Title, author: json?.Author }).toMatchObject({ title: 'A (plain) page', author: 'ÄB' });
    expect(facts.info).toMatchObject({ title: json?.Title, author: json?.Author });
  });
});

describe('hostile input', () => {
  const repeated = (text: string, size: number): Uint8Array =>
    Buffer.from(text.repeat(Math.ceil(size / text.length)).slice(0, size), 'latin1');
  it.each([
    '1 0 obj(',
    '1 0 obj<<',
    '1 0 obj[',
    '1 0 obj 5%',
    '1 0 obj<</A ',
    '1 0 obj<<>>stream\n',
    'trailer<<',
    '1 0 obj<</S/URI/A 1 0 R>>endobj ',
    '%',
    '/',
    '1 0 obj<</Type/ObjStm/N 99999/First 10>>stream\n1 1 1 1 1 1 endstream endobj ',
  ])('%s over and over', (text) => {
    expect(() => analyse(repeated(`%PDF-1.4\n${text}`, 60)).facts).not.toThrow();
    const started = usedMs();
    analyse(repeated(text, 200_000));
    expect(usedMs() - started).toBeLessThan(2000);
  });

  it('is not troubled by mutated samples', async () => {
    const samples = [plainPdf(), actionPdf(), objectStreamPdf(), damagedPdf()].map((bytes) => ({
      bytes,
      kind: 'pdf' as const,
    }));
    expect((await fuzzAnalyser(pdf, samples)).problems).toEqual([]);
  });
});
