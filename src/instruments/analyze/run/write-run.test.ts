import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../base/errors.ts';
import type { Report } from '../../../base/report-schema.ts';
import { type RunRecord, readRunRecord, recordName, writeRunRecord } from './run-record.ts';
import { writeRun } from './write-run.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-write-run-'));
afterAll(() => rmSync(root, { recursive: true }));

const report: Report = {
  format: 'hotcell-report',
  version: 1,
  instrument: 'analyze',
  tool: { name: 'hotcell', version: '0.1.0' },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  isComplete: false,
  subjects: [{ target: { kind: 'folder', spec: '/x' }, findings: [], suppressed: [], checks: [] }],
};

describe('writeRun', () => {
  it('writes what there is, even of a run that never came to start', async () => {
    const folder = join(root, 'new', 'run');
    const { files, problems } = await writeRun({ report, bom: null, folder }, []);
    expect(problems).toEqual([]);
    expect(files.toSorted()).toEqual(['report.html', 'report.json', 'report.md', 'report.sarif']);
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(report);
    expect(statSync(join(folder, 'report.json')).mode & 0o777).toBe(0o600);
  });

  it('adds the bill of materials where there is one', async () => {
    const folder = join(root, 'bom');
    await writeRun({ report, bom: { bomFormat: 'CycloneDX' }, folder }, []);
    expect(JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'))).toEqual({ bomFormat: 'CycloneDX' });
  });

  it('goes on without a document that cannot be made, and fails without the report', async () => {
    const folder = join(root, 'blocked');
    mkdirSync(join(folder, 'report.md'), { recursive: true });
    const { files, problems } = await writeRun({ report, bom: null, folder }, []);
    expect(files).toContain('report.html');
    expect(problems).toEqual([expect.stringMatching(/^report\.md: /)]);
    const worse = join(root, 'worse');
    mkdirSync(join(worse, 'report.json'), { recursive: true });
    await expect(writeRun({ report, bom: null, folder: worse }, [])).rejects.toThrow(HostError);
  });
});

describe('the record of a run', () => {
  const record: RunRecord = {
    format: 'hotcell-run',
    version: 1,
    target: '/x',
    backend: 'auto',
    budget: 'quick',
    mostMs: 1,
    patienceMs: 1,
    args: [],
    props: [{ kind: 'program', name: 'kubectl', text: '' }],
    variables: ['TOKEN'],
    headers: [],
    hasNetwork: true,
    seed: 's',
  };

  it('comes back as it was written, for its owner alone', async () => {
    await writeRunRecord(root, record);
    expect(await readRunRecord(root)).toEqual(record);
    expect(statSync(join(root, recordName)).mode & 0o777).toBe(0o600);
  });

  it('may be missing, and must not be wrong', async () => {
    expect(await readRunRecord(join(root, 'absent'))).toBeNull();
    for (const text of ['{', '{}', JSON.stringify({ ...record, budget: 'huge' })]) {
      writeFileSync(join(root, recordName), text);
      await expect(readRunRecord(root)).rejects.toThrow(UsageError);
    }
  });
});
