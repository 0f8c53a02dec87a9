import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sha256 } from '../../../../src/base/fingerprint.ts';
import { createArchive, listArchive } from '../../../../src/instruments/lab/archives/index.ts';
import { unpack } from '../../../../src/instruments/lab/operations/unpack.ts';
import type { LabReport } from '../../../../src/instruments/lab/report/schema.ts';
import { makeBomb, makeZip } from '../../../samples/lab/archives/make-zip.ts';
import { peSamples } from '../../../samples/lab/pe/samples.ts';
import { largeCapa } from '../../../samples/lab/tool-outputs/capa-outputs.ts';
import type { SampleLab } from '../sample-lab.ts';
import type { Benches, Row } from './benches.ts';

/** Results that are lost, and evidence that is changed or destroyed. */

/** One analysis for the rows that are about the same report. */
async function analyseProgram(benches: Benches): Promise<{ report: LabReport; bench: SampleLab; path: string }> {
  const bench = await benches.stubs();
  const path = bench.lay('program.exe', peSamples.pe64());
  return { report: await bench.analyse('program.exe', { depth: 'standard' }), bench, path };
}

function toolOf({ tools }: LabReport, id: string): LabReport['tools'][number] {
  const found = tools.find((tool) => tool.id === id);
  if (found === undefined) throw new Error(`${id} was not run`);
  return found;
}

const order = (file: string, more: object = {}) => ({
  file,
  passwords: [],
  depth: 0,
  signal: AbortSignal.timeout(60_000),
  ...more,
});

const text = (words: string): Buffer => Buffer.from(`${words}\n`);

export const evidenceRows: readonly Row[] = [
  {
    number: 1,
    name: 'a result document of many rules is read whole, however little of it is shown',
    needs: ['sshd'],
    async check(benches) {
      expect(largeCapa.length).toBeGreaterThan(100_000);
      const { report } = await analyseProgram(benches);
      const capa = toolOf(report, 'capa');
      expect(capa).toMatchObject({ status: 'findings', finding_count: 400, facts: { rule_count: 400 }, notes: [] });
      expect(capa.output.length).toBeLessThan(largeCapa.length);
      expect(readFileSync(capa.saved_to ?? '', 'utf8')).toBe(largeCapa);
      expect(report.findings.filter(({ source }) => source === 'capa').length).toBeGreaterThan(300);
      expect(report.findings.find(({ source }) => source === 'capa')).toMatchObject({ evidence_type: 'behaviour' });
      expect(report.action_required.map(({ issue }) => issue).filter((issue) => /packed/i.test(issue))).toEqual([]);
    },
  },
  {
    number: 2,
    name: 'techniques that a rule names arrive in the report',
    needs: ['sshd'],
    async check(benches) {
      const { report } = await analyseProgram(benches);
      expect(toolOf(report, 'capa').facts.attack_techniques).toEqual(expect.arrayContaining(['T1000', 'T1042']));
      const named = report.findings.filter(({ source }) => source === 'capa').flatMap(({ attack }) => attack);
      expect(new Set(named).size).toBeGreaterThan(300);
    },
  },
  {
    number: 3,
    name: 'a tool that writes into its input changes a copy, and the sample stays what it was',
    needs: ['sshd'],
    async check(benches) {
      const { report, path } = await analyseProgram(benches);
      expect(toolOf(report, 'upx-decompress')).toMatchObject({ exit_code: 0 });
      expect(report.evidence.is_unchanged).toBe(true);
      expect(sha256(readFileSync(path))).toBe(report.file.sha256);
      for (const bench of [await benches.boxed(), await benches.plain()]) {
        const own = bench.lay('mine.txt', 'aaa\n');
        const before = readdirSync(bench.samples);
        const { ended, evidence, made } = await bench.run('sed -i s/a/b/ mine.txt');
        expect(ended.code).toBe(0);
        expect(evidence).toEqual([{ path: own, sha256Before: sha256('aaa\n'), sha256After: sha256('aaa\n') }]);
        expect(readFileSync(own, 'utf8')).toBe('aaa\n');
        expect(readdirSync(bench.samples)).toEqual(before);
        // What the tool made of the copy is not lost.
        expect(made.map((file) => readFileSync(file.path, 'utf8'))).toEqual(['baa\n']);
      }
    },
  },
  {
    number: 4,
    name: 'opening an archive removes nothing, in no folder, whatever the archive or the caller says',
    async check(benches) {
      const bench = await benches.boxed();
      const precious = join(bench.root, 'vic', 'precious');
      mkdirSync(precious, { recursive: true });
      writeFileSync(join(precious, 'keep'), 'kept');
      bench.lay('evil/earlier.txt', 'earlier');
      bench.lay(
        'evil.zip',
        makeZip([
          { name: 'fine.txt', bytes: text('fine') },
          { name: 'way-out', bytes: Buffer.from('../../../vic/precious'), mode: 0o120777 },
          { name: '../../vic/precious/keep', bytes: text('overwritten') },
        ]),
      );
      for (const folder of ['../vic/precious', '..', '/tmp', 'a/../../vic', '-rf']) {
        await expect(unpack(bench.lab, order('evil.zip', { folder }))).rejects.toThrow(/cannot be the name/);
      }
      const unpacked = await unpack(bench.lab, order('evil.zip'));
      expect(unpacked.refused.map(({ name }) => name)).toContain('way-out');
      expect(unpacked.folder).toBe(join(bench.samples, 'evil-2'));
      for (const { path } of unpacked.files) expect(path.startsWith(`${unpacked.folder}/`)).toBe(true);
      expect(readFileSync(join(precious, 'keep'), 'utf8')).toBe('kept');
      expect(readFileSync(join(bench.samples, 'evil', 'earlier.txt'), 'utf8')).toBe('earlier');
    },
  },
  {
    number: 22,
    name: 'archives: absolute paths are taken, bombs are not, encrypted names are read, dots are no escape',
    async check(benches) {
      const bench = await benches.boxed();
      const archive = bench.lay('dots.zip', makeZip([{ name: 'foo..txt', bytes: text('dots') }]));
      const dots = await unpack(bench.lab, order(archive));
      expect(dots).toMatchObject({ refused: [], files: [{ name: 'foo..txt', path: join(dots.folder, 'foo..txt') }] });
      bench.lay('bomb.zip', makeBomb(64 * 1024 * 1024));
      await expect(unpack(bench.lab, order('bomb.zip'))).rejects.toThrow(/bomb|larger|limit|more than|times/i);
      expect(existsSync(join(bench.samples, 'bomb'))).toBe(false);
      const files = [{ name: 'inside.txt', bytes: text('inside') }];
      const locked = await createArchive({ files, password: 'virus', format: '7z' });
      bench.lay('locked.7z', locked.bytes);
      const opened = await unpack(bench.lab, order('locked.7z', { passwords: ['wrong', 'wrong too'] }));
      expect(opened).toMatchObject({ passwordUsed: 'virus', refused: [], files: [{ name: 'inside.txt' }] });
      // Nothing of the attempts with other passwords lies beside it.
      expect(readdirSync(opened.folder)).toEqual(['inside.txt']);
      expect(readFileSync(join(opened.folder, 'inside.txt'), 'utf8')).toBe('inside\n');
      expect((await listArchive(locked.bytes, { passwords: ['virus'] })).isHeaderEncrypted).toBe(true);
      const closed = await createArchive({ files, password: 'nobody knows it', format: '7z' });
      bench.lay('closed.7z', closed.bytes);
      await expect(unpack(bench.lab, order('closed.7z', { passwords: ['wrong'] }))).rejects.toThrow(/password/);
      expect(existsSync(join(bench.samples, 'closed'))).toBe(false);
    },
  },
];
