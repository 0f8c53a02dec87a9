import { describe, expect, it } from 'vitest';
import type { LabFinding } from '../contract.ts';
import { gatherFindings, type SourcedFinding } from './report-findings.ts';

function sample(
  rule: string,
  severity: LabFinding['severity'],
  more: Partial<SourcedFinding> = {},
  text = 'x',
): SourcedFinding {
  return {
    finding: {
      rule,
      title: rule,
      severity,
      evidenceType: 'artifact',
      evidence: [{ where: 'offset 0', text }],
      benign: 'often',
    },
    source: 'one',
    inside: null,
    ...more,
  };
}

describe('findings of many sources', () => {
  it('are sorted by how grave they are, and keep their order otherwise', () => {
    const { findings } = gatherFindings([
      sample('a', 'low'),
      sample('b', 'critical'),
      sample('c', 'low'),
      sample('d', 'high'),
    ]);
    expect(findings.map(({ rule }) => rule)).toEqual(['b', 'd', 'a', 'c']);
  });

  it('are one where the same source says the same of the same place, with the evidence of both', () => {
    const { findings } = gatherFindings([
      sample('a', 'low', {}, '1'),
      sample('a', 'low', {}, '2'),
      sample('a', 'low', {}, '1'),
    ]);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.evidence.map(({ text }) => text)).toEqual(['1', '2']);
  });

  it.each([{ source: 'two' }, { inside: 'inner.exe' }])('are two where %j', (more) => {
    expect(gatherFindings([sample('a', 'low'), sample('a', 'low', more)]).findings).toHaveLength(2);
  });

  it('are bounded, and how many are left is told', () => {
    const many = Array.from({ length: 450 }, (_, at) => sample(`rule-${at}`, 'info'));
    const { findings, left } = gatherFindings([...many, sample('grave', 'critical')]);
    expect(findings).toHaveLength(400);
    expect(left).toBe(51);
    expect(findings[0]?.rule).toBe('grave');
    const evidence = Array.from({ length: 40 }, (_, at) => sample('a', 'low', {}, String(at)));
    expect(gatherFindings(evidence).findings[0]?.evidence).toHaveLength(10);
  });
});
