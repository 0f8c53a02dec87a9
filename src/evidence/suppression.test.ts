import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { type Finding, findingId } from '../base/finding-schema.ts';
import type { Report } from '../base/report-schema.ts';
import { applyBaseline, parseBaseline, writeBaseline } from './baseline.ts';
import { applyInline } from './inline-suppression.ts';

function finding(line: number, rule = 'taint/command'): Finding {
  return {
    id: findingId(rule, [String(line)]),
    rule,
    title: `at ${line}`,
    severity: 'high',
    axis: 'weakness',
    evidenceClass: 'D',
    cwe: [],
    owasp: [],
    locations: [{ path: 'a.js', line }],
    evidence: [],
    remediation: 'mend it',
  };
}

function report(findings: Finding[]): Report {
  return {
    format: 'hotcell-report',
    version: 1,
    instrument: 'scan',
    tool: { name: 'hotcell', version: '0' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 0,
    isComplete: true,
    subjects: [{ target: { kind: 'folder', spec: '.' }, findings, suppressed: [], checks: [] }],
  };
}

describe('a baseline', () => {
  it('hides what it names and nothing else', () => {
    const known = parseBaseline(writeBaseline(report([finding(1)])), 'b.json');
    const { findings, suppressed } = applyBaseline([finding(1), finding(2)], known);
    expect(findings).toEqual([finding(2)]);
    expect(suppressed).toEqual([
      { finding: finding(1), by: 'baseline', reason: 'accepted when the baseline was made' },
    ]);
  });

  it('keeps the reasons that people wrote', () => {
    const first = parseBaseline(writeBaseline(report([finding(1)])), 'b.json');
    const edited = { ...first, findings: first.findings.map((each) => ({ ...each, reason: 'not reachable' })) };
    const again = parseBaseline(writeBaseline(report([finding(1), finding(2)]), edited), 'b.json');
    expect(again.findings.find(({ title }) => title === 'at 1')?.reason).toBe('not reachable');
    expect(again.findings).toHaveLength(2);
  });

  it.each([
    '',
    '{}',
    '[]',
    '{"format":"hotcell-baseline","version":2,"findings":[]}',
    '{"format":"hotcell-baseline","version":1,"findings":[{"id":"x"}]}',
  ])('that is %j is refused', (text) => {
    expect(() => parseBaseline(text, 'b.json')).toThrow(UsageError);
  });
});

describe('a suppression beside the code', () => {
  const lines = (text: string) => (): readonly string[] => text.split('\n');
  it.each([
    { what: 'on the line', text: 'exec(x) // hotcell-ignore taint/command: constant list', line: 1 },
    { what: 'on the line above', text: '/* hotcell-ignore taint/command: constant list */\nexec(x)', line: 2 },
    { what: 'in a Python comment', text: '# hotcell-ignore taint/command: constant list\nos.system(x)', line: 2 },
  ])('$what counts, with its reason', ({ text, line }) => {
    const { findings, suppressed } = applyInline([finding(line)], lines(text));
    expect(findings).toEqual([]);
    expect(suppressed[0]).toMatchObject({ by: 'inline', reason: 'constant list' });
  });

  it.each([
    { what: 'without a reason', text: 'exec(x) // hotcell-ignore taint/command', line: 1 },
    { what: 'with an empty reason', text: 'exec(x) // hotcell-ignore taint/command:  ', line: 1 },
    { what: 'for another rule', text: 'exec(x) // hotcell-ignore taint/sql: constant list', line: 1 },
    { what: 'two lines above', text: '// hotcell-ignore taint/command: constant list\n\nexec(x)', line: 3 },
    { what: 'for all rules', text: 'exec(x) // hotcell-ignore *: constant list', line: 1 },
  ])('$what does not', ({ text, line }) => {
    expect(applyInline([finding(line)], lines(text)).suppressed).toEqual([]);
  });
});
