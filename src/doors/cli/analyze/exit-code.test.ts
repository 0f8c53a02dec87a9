import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Check, Report } from '../../../base/report-schema.ts';
import { cleanReport, sampleAnalysis, sampleFinding, sampleReport } from '../../tools/runs/sample-report.ts';
import { combineExitCodes, exitCodeFor, type Gate } from './exit-code.ts';

const usual: Gate = { failOn: 'high', isExplicit: false, offlineOk: false };
const passing = cleanReport().subjects[0]?.analysis ?? sampleAnalysis();

function withFindings(...findings: readonly Partial<Finding>[]): Report {
  return sampleReport({ findings: findings.map((each) => sampleFinding(each)), analysis: passing });
}

const unknown = (id: string): Check => ({ id, title: id, is: 'unknown', facts: {} });
const started = passing.start;

const table: readonly [what: string, report: Report, gate: Partial<Gate>, code: number][] = [
  ['nothing found', cleanReport(), {}, 0],
  ['a verdict that fails', sampleReport({ findings: [] }), {}, 1],
  ['proof, high', withFindings({ severity: 'high', evidenceClass: 'A' }), {}, 1],
  ['observed, critical', withFindings({ severity: 'critical', evidenceClass: 'B' }), {}, 1],
  ['observed, medium', withFindings({ severity: 'medium', evidenceClass: 'B' }), {}, 0],
  [
    'observed, medium, asked for',
    withFindings({ severity: 'medium', evidenceClass: 'B' }),
    { failOn: 'medium', isExplicit: true },
    1,
  ],
  ['more than declared, critical', withFindings({ evidenceClass: 'C' }), {}, 0],
  ['a hint, critical', withFindings({ evidenceClass: 'D' }), {}, 0],
  ['a hint, high, asked for', withFindings({ severity: 'high', evidenceClass: 'D' }), { isExplicit: true }, 1],
  ['a hint, low, asked for high', withFindings({ severity: 'low', evidenceClass: 'D' }), { isExplicit: true }, 0],
  ['unknown, critical, asked for', withFindings({ evidenceClass: 'U' }), { isExplicit: true }, 0],
  [
    'something that reading could not answer',
    sampleReport({ findings: [], checks: [unknown('flows')], analysis: passing }),
    {},
    0,
  ],
  ['advisories unknown', sampleReport({ findings: [], checks: [unknown('advisories')], analysis: passing }), {}, 3],
  [
    'advisories unknown, accepted',
    sampleReport({ findings: [], checks: [unknown('advisories')], analysis: passing }),
    { offlineOk: true },
    0,
  ],
  [
    'advisories accepted, but a verdict that is not complete',
    sampleReport({
      findings: [],
      checks: [unknown('advisories')],
      analysis: { ...passing, verdict: { ...passing.verdict, isComplete: false } },
    }),
    { offlineOk: true },
    3,
  ],
  [
    'a server that did not start',
    sampleReport({ findings: [], analysis: { ...passing, start: { ...started, isStarted: false } } }),
    {},
    3,
  ],
  [
    'a server that did not start, accepted offline',
    sampleReport({ findings: [], analysis: { ...passing, start: { ...started, isStarted: false } } }),
    { offlineOk: true },
    3,
  ],
  [
    'sensors that missed something',
    sampleReport({ findings: [], analysis: { ...passing, completeness: { isComplete: false, sensors: [] } } }),
    {},
    3,
  ],
  [
    'a verdict that is not complete',
    sampleReport({ findings: [], analysis: { ...passing, verdict: { ...passing.verdict, isComplete: false } } }),
    {},
    3,
  ],
  [
    'proof although sensors missed something',
    sampleReport({ analysis: { ...sampleAnalysis(), completeness: { isComplete: false, sensors: [] } } }),
    {},
    1,
  ],
  ['no subject at all', { ...cleanReport(), subjects: [] }, {}, 3],
];

describe('exitCodeFor', () => {
  it.each(table)('%s', (_, report, gate, code) => {
    expect(exitCodeFor(report, { ...usual, ...gate }, false)).toBe(code);
  });

  it('is 3 for whatever was interrupted', () => {
    expect(exitCodeFor(sampleReport(), usual, true)).toBe(3);
    expect(exitCodeFor(cleanReport(), usual, true)).toBe(3);
  });

  it('is 3 for what was never run', () => {
    const { analysis, ...subject } = sampleReport({ findings: [] }).subjects[0] ?? { analysis: undefined };
    expect(analysis).toBeDefined();
    expect(exitCodeFor({ ...cleanReport(), subjects: [subject as Report['subjects'][number]] }, usual, false)).toBe(3);
  });
});

describe('combineExitCodes', () => {
  it.each([
    [[], 0],
    [[0, 0], 0],
    [[0, 3], 3],
    [[3, 1, 0], 1],
    [[5, 1], 1],
    [[5, 4, 3], 4],
    [[2, 3], 2],
  ] as const)('%j', (codes, code) => {
    expect(combineExitCodes(codes)).toBe(code);
  });
});
