import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { toolSchema } from '../../../../src/instruments/lab/catalogue/schema.ts';
import { repository } from '../../../e2e/hotcell.ts';
import { kindSamples } from '../../../samples/lab/general/make-kinds.ts';
import { makeSampleMsg } from '../../../samples/lab/mail/make-msg.ts';
import { defaultPassword, makeAgile, makeStandard } from '../../../samples/lab/office/make-encrypted.ts';
import { makeDocm, makeDocx } from '../../../samples/lab/office/make-ooxml.ts';
import { peSamples } from '../../../samples/lab/pe/samples.ts';
import type { Row } from './benches.ts';

/** What samples are, and what is read out of them by parsers of our own. */

/** Sources that could use a field of the catalogue. */
function readSources(): string {
  const folders = ['src/instruments/lab', 'src/doors/tools/lab'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('catalogue/schema.ts'))
      .map((name) => join(repository, folder, name)),
  );
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** To declare or to name a field is not to use it. */
function uses(source: string, field: string): number {
  return source.match(new RegExp(`\\b${field}\\b(?!\\??:)`, 'g'))?.length ?? 0;
}

export const sampleRows: readonly Row[] = [
  {
    number: 5,
    name: 'a program packed by PyInstaller is told by its cookie, in both of its forms',
    async check(benches) {
      const bench = await benches.boxed();
      for (const name of ['pyInstaller', 'pyInstallerOld'] as const) {
        bench.lay(`${name}.exe`, peSamples[name]());
        const { analysers, action_required: todo } = await bench.analyse(`${name}.exe`);
        const pe = analysers.find(({ id }) => id === 'pe');
        expect(pe?.facts.installers, name).toEqual(expect.arrayContaining(['pyinstaller']));
        expect(pe?.facts.pyinstaller).toMatchObject({ python_version: expect.anything() });
        expect(todo.map(({ issue }) => issue)).toEqual(expect.arrayContaining([expect.stringMatching(/PyInstaller/)]));
      }
    },
  },
  {
    number: 6,
    name: 'every kind of file is told by its content, without any help of its name',
    async check(benches) {
      const bench = await benches.boxed();
      const samples = [
        ...kindSamples(),
        { kind: 'office-encrypted', label: 'an encrypted document', bytes: makeAgile('secret') },
        { kind: 'msg', label: 'a message of Outlook', bytes: makeSampleMsg() },
      ];
      const found: Record<string, unknown> = {};
      for (const [at, { label, bytes }] of samples.entries()) {
        bench.lay(`kind-${at}`, bytes);
        found[`${at} ${label}`] = (await bench.call('get_file_info', { file: `kind-${at}` })).data.kind;
      }
      expect(found).toEqual(Object.fromEntries(samples.map(({ kind, label }, at) => [`${at} ${label}`, kind])));
    },
  },
  {
    number: 7,
    name: 'a name that reads like a kind is only a name',
    async check(benches) {
      const bench = await benches.boxed();
      const name = 'x: PE32 executable for MS Windows foo.bin';
      bench.lay(name, 'A quiet evening at the lake, and nothing else to report.\n');
      const { data } = await bench.call('get_file_info', { file: name });
      expect(data).toMatchObject({ kind: 'text', file: name });
      expect(data.file_type).not.toMatch(/PE32/);
    },
  },
  {
    number: 13,
    name: 'a document without macros is told to have none, and the banner of a tool is no indicator',
    needs: ['sshd'],
    async check(benches) {
      const bench = await benches.stubs();
      bench.lay('plain.docx', makeDocx());
      const report = await bench.analyse('plain.docx', { depth: 'standard' });
      expect(report.tools.find(({ id }) => id === 'olevba')).toMatchObject({
        status: 'clean',
        facts: { has_macros: false },
      });
      expect(report.findings.filter(({ rule, title }) => /macro|vba/i.test(`${rule} ${title}`))).toEqual([]);
      expect(report.indicators.filter(({ value }) => value.includes('decalage'))).toEqual([]);
      bench.lay('with.docm', makeDocm());
      const other = await bench.analyse('with.docm');
      expect(other.findings.filter(({ rule }) => rule.includes('macro')).length).toBeGreaterThan(0);
    },
  },
  {
    number: 25,
    name: 'nothing of the catalogue is dead, and the password that Office itself tries is tried',
    needs: ['sshd'],
    async check(benches) {
      const source = readSources();
      const unused = Object.keys(toolSchema.shape).filter((field) => uses(source, field) === 0);
      expect(unused).toEqual([]);
      const stubs = await benches.stubs();
      const help = await stubs.call('get_tool_help', { tool: 'exiftool' });
      expect(help).toMatchObject({ error: '', data: { installed: true, version: expect.stringMatching(/^Comment/) } });
      stubs.lay('any.txt', 'any');
      const { advisories } = await stubs.run('exiftool any.txt');
      expect(advisories.map(({ text }) => text)).toContain(help.data.advisory);
      const { data: suggested } = await stubs.call('suggest_tools', { file: 'any.txt' });
      expect(suggested.recommended_tools).toContainEqual(expect.objectContaining({ output_format: 'text' }));
      const bench = await benches.boxed();
      for (const make of [makeAgile, makeStandard]) {
        bench.lay('velvet.docx', make(defaultPassword));
        const opened = await bench.analyse('velvet.docx');
        expect(opened.file.kind.id).toBe('office-encrypted');
        expect(opened.inner_files.map(({ kind }) => kind.id)).toContain('ooxml');
        expect(opened.action_required.filter(({ issue }) => /encrypted/.test(issue))).toEqual([]);
      }
      bench.lay('other.docx', makeAgile('another one'));
      const closed = await bench.analyse('other.docx');
      expect(closed.inner_files).toEqual([]);
      expect(closed.action_required.map(({ issue }) => issue).join()).toMatch(/no known password opened it/);
      const told = await bench.analyse('other.docx', { depth: 'standard', passwords: ['another one'] });
      expect(told.inner_files.map(({ kind }) => kind.id)).toContain('ooxml');
    },
  },
  {
    number: 26,
    name: 'without a single tool installed there are still a kind, findings, indicators and inner files',
    needs: ['sshd'],
    async check(benches) {
      const bench = await benches.bare();
      expect([...(await bench.lab.programs()).keys()]).toEqual([]);
      bench.lay('with.docm', makeDocm());
      const report = await bench.analyse('with.docm', { depth: 'standard' });
      expect(report).toMatchObject({ file: { kind: { id: 'ooxml' } }, tools: [], evidence: { is_unchanged: true } });
      expect(report.findings.filter(({ severity }) => severity !== 'info').length).toBeGreaterThan(0);
      expect(report.indicators.length).toBeGreaterThan(0);
      expect(report.not_run.filter(({ because }) => because.includes('not installed')).length).toBeGreaterThan(0);
      bench.lay('program.exe', peSamples.pe64());
      const program = await bench.analyse('program.exe');
      expect(program.analysers.find(({ id }) => id === 'pe')).toMatchObject({ status: 'done' });
    },
  },
];
