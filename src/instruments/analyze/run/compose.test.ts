import { describe, expect, it } from 'vitest';
import { analysisSchema } from '../../../base/analysis-schema.ts';
import { type Finding, findingId } from '../../../base/finding-schema.ts';
import type { Check } from '../../../base/report-schema.ts';
import { reportSchema } from '../../../base/report-schema.ts';
import { readKnowledge } from '../interrogate/arguments/index.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { type Composition, compose } from './compose.ts';
import { sampleDetonated, sampleSensor } from './sample-detonated.ts';

const finding: Finding = {
  id: findingId('a/b', ['x']),
  rule: 'a/b',
  title: 'It sends a file',
  severity: 'high',
  axis: 'hostility',
  evidenceClass: 'B',
  cwe: [],
  owasp: [],
  locations: [],
  evidence: [],
  remediation: 'do not',
};
const proof = {
  finding: finding.id,
  steps: [],
  replay: { kind: 'phase' as const, phase: 'use' as const, variant: 'first' },
};
const done: Check = { id: 'scan/x', title: 'x', is: 'done', facts: {} };

function composed(detonated: Partial<Detonated> = {}, more: Partial<Composition> = {}) {
  const composition: Composition = {
    target: { kind: 'folder', spec: '/x' },
    startedAt: new Date(),
    toolVersion: '0.0.0',
    checks: [done],
    findings: [],
    suppressed: [],
    found: { findings: [], proofs: [], behaviour: { byTool: new Map(), findings: [] } },
    detonated: sampleDetonated(detonated),
    learnt: { policy: null, refused: [] },
    story: { phases: [], calls: [], processes: [], files: [], hosts: [], leftOut: {} },
    knowledge: readKnowledge(),
    folder: '/runs/1',
    ...more,
  };
  const report = reportSchema.parse(compose(composition));
  const [subject] = report.subjects;
  if (subject?.analysis === undefined) throw new Error('a report of an analysis has one');
  return { report, subject, analysis: analysisSchema.parse(subject.analysis) };
}

const checkOf = (checks: readonly Check[], id: string) => checks.find((check) => check.id === id);
const { start, phases, completeness } = sampleDetonated();

describe('a report', () => {
  it('of a run that went through and showed nothing is complete and clean', () => {
    const { report, analysis, subject } = composed();
    expect(report.isComplete).toBe(true);
    expect(analysis.verdict).toMatchObject({ isComplete: true, risk: 0, band: 'passes' });
    expect(analysis.server).toMatchObject({ name: { text: 'sample' } });
    expect(subject.checks.map(({ is }) => is)).toEqual(['done', 'done', 'done', 'done', 'done']);
  });

  it.each<readonly [string, Partial<Detonated>, string]>([
    ['did not start', { start: { ...start, isStarted: false, guess: 'no module' } }, 'run/start'],
    ['left out a phase', { phases: phases.filter((phase) => phase !== 'attack') }, 'run/phases'],
    ['lost events', { completeness: { ...completeness, sensors: [{ ...sampleSensor, dropped: 1 }] } }, 'run/sensors'],
    ['could not search everything', { completeness: { ...completeness, search: { cutBodies: 2 } } }, 'run/sensors'],
  ])('of a run that %s is never clean', (_, detonated, check) => {
    const { report, analysis, subject } = composed(detonated);
    expect(report.isComplete).toBe(false);
    expect(analysis.verdict).toMatchObject({ isComplete: false, risk: null, band: 'unknown' });
    expect(checkOf(subject.checks, check)?.is).toBe('unknown');
  });

  it.each<readonly [string, Partial<Detonated>]>([
    ['was not watched while idle', { phases: phases.filter((phase) => phase !== 'idle') }],
    ['has guesses that were not tried', { completeness: { ...completeness, search: { untriedGuesses: 9 } } }],
  ])('of a run that %s is complete', (_, detonated) => {
    expect(composed(detonated).report.isComplete).toBe(true);
  });

  it('leaves exposure open where nobody could be asked, and nothing else', () => {
    const { analysis } = composed({}, { checks: [{ ...done, is: 'unknown' }] });
    const { hostility, weakness, exposure } = analysis.verdict.axes;
    expect(exposure.label).toBe('inconclusive');
    expect([hostility.label, weakness.label]).not.toContain('inconclusive');
    expect(analysis.verdict.isComplete).toBe(true);
  });

  it('tells how to see it again, where that can be done', () => {
    const found = { findings: [finding], proofs: [proof], behaviour: { byTool: new Map(), findings: [] } };
    const { subject, analysis } = composed({}, { findings: [finding], found });
    expect(subject.findings[0]?.repro).toBe(`hotcell replay /runs/1 ${finding.id}`);
    expect(analysis.proofs).toEqual([proof]);
    const own = { ...finding, repro: 'curl x' };
    expect(composed({}, { findings: [own], found }).subject.findings[0]?.repro).toBe('curl x');
    const { replay: _, ...still } = proof;
    const once = composed({}, { findings: [finding], found: { ...found, proofs: [still] } });
    expect(once.subject.findings[0]?.repro).toBeUndefined();
  });

  it('keeps no proof of what was accepted', () => {
    const found = { findings: [finding], proofs: [proof], behaviour: { byTool: new Map(), findings: [] } };
    expect(composed({}, { findings: [], found }).analysis.proofs).toEqual([]);
  });

  it('has no server where none said hello', () => {
    expect(composed({ handshake: null }).analysis.server).toBeNull();
  });
});
