import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Finding, findingId } from '../../../base/finding-schema.ts';
import type { Report } from '../../../base/report-schema.ts';
import { describeTerminal, displayWidth } from '../terminal/index.ts';
import { renderReport } from './render.ts';

const hostile = '\u001b[2J\u202eevil 漢字 ';
const at = (columns: number) =>
  describeTerminal({ color: 'always', isTerminal: true, columns, environment: { LANG: 'C.UTF-8' } });

function finding(number: number, overrides: Partial<Finding> = {}): Finding {
  return {
    id: findingId('a/b', [String(number)]),
    rule: 'a/b',
    title: `finding ${number} ${hostile.repeat(4)}`,
    severity: 'high',
    axis: 'weakness',
    evidenceClass: 'D',
    cwe: ['CWE-78'],
    owasp: ['MCP05'],
    locations: [
      { path: 'a.js', line: 1, step: 'source' },
      { path: 'b.js', line: number + 1, step: 'sink' },
    ],
    evidence: [{ kind: 'source', ref: 'a.js:1', excerpt: { text: `const x = 1;\t${hostile}\n`.repeat(9) } }],
    remediation: 'mend it',
    ...overrides,
  };
}

function report(findings: readonly Finding[], isComplete = true): Report {
  return {
    format: 'hotcell-report',
    version: 1,
    instrument: 'scan',
    tool: { name: 'hotcell', version: '0.1.0' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1234,
    isComplete,
    subjects: [
      {
        target: { kind: 'npm', spec: 'npm:x@1', resolved: { name: 'x', version: '1.0.0' } },
        findings: [...findings],
        suppressed: [],
        checks: [{ id: 'osv', title: 'OSV', is: isComplete ? 'done' : 'unknown', facts: { packages: 3 } }],
      },
    ],
  };
}

describe('a report on a terminal', () => {
  it('says in its last line what was found and whether everything was looked at', () => {
    const last = (made: Report): string =>
      stripVTControlCharacters(renderReport(made, at(80), { isDetailed: false }))
        .trimEnd()
        .split('\n')
        .at(-1) ?? '';
    expect(last(report([]))).toBe('no findings; everything was looked at (1.2 s)');
    expect(last(report([finding(1)], false))).toMatch(/^1 high; not everything could be looked at/);
  });

  it('shows many of one kind as one, and all of them when asked', () => {
    const many = Array.from({ length: 20 }, (_, number) => finding(number));
    const short = renderReport(report(many), at(100), { isDetailed: false });
    expect(short.match(/mend it/g)).toHaveLength(1);
    expect(short).toContain('+ 7 more');
    expect(renderReport(report(many), at(100), { isDetailed: true }).match(/mend it/g)).toHaveLength(20);
  });

  it('shows the worst first', () => {
    const text = renderReport(
      report([finding(1, { severity: 'low' }), finding(2, { severity: 'critical', rule: 'c/d' })]),
      at(80),
      {
        isDetailed: false,
      },
    );
    expect(text.indexOf('finding 2')).toBeLessThan(text.indexOf('finding 1'));
  });

  it.each([60, 80, 120])('lets nothing of a target steer a terminal of %s columns', (columns) => {
    const text = renderReport(report([finding(1)]), at(columns), { isDetailed: true });
    expect(text).not.toContain('\u202e');
    expect(text).not.toContain('\u001b[2J');
    for (const line of text.split('\n').filter((each) => each.includes('finding'))) {
      expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});
