import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AnalysedTool } from '../../../base/analysis-schema.ts';
import { compareRuns } from '../../../instruments/analyze/difference/index.ts';
import { cleanReport, hostileText, sampleAnalysis, sampleReport } from '../../tools/runs/sample-report.ts';
import { describeTerminal, displayWidth } from '../terminal/index.ts';
import { renderDifference } from './diff-lines.ts';

const at = (columns: number, color: 'always' | 'never') =>
  describeTerminal({ color, isTerminal: true, columns, environment: { LANG: 'C.UTF-8' } });

const tool = (name: string, description: string): AnalysedTool => ({
  name: { text: name },
  description: { text: description },
  annotations: {},
  honestCalls: 1,
  answered: 1,
  trials: 1,
  observed: [],
  contradicted: [],
});

const host = {
  host: { text: `collect.example${hostileText}` },
  ports: [443],
  protocols: [],
  requests: 1,
  phases: [],
  firstMs: 0,
  isDeclared: false,
  leaks: 2,
  events: [],
};
const before = sampleReport({
  findings: [],
  analysis: sampleAnalysis({ tools: [tool('search', 'Finds notes.'), tool('old', '')] }),
});
const after = sampleReport({
  analysis: sampleAnalysis({
    tools: [tool('search', `Finds notes. ${hostileText}`), tool(hostileText, '')],
    hosts: [host],
  }),
});

describe('two runs beside each other', () => {
  const difference = compareRuns(before, after);

  it('names what is new, what is gone and what changed', () => {
    const text = renderDifference(difference, at(100, 'never'));
    expect(text).toMatch(/\nworse\n {2}! new finding \(critical\): The tool search/);
    expect(text).toContain('\nTools\n  + \\x1b[2J\\u{202e}evil\n  - old\n  ~ search: description\n');
    expect(text).toContain('\nHosts\n  + collect.example\\x1b[2J\\u{202e}evil:443 (not declared, 2 leaks)\n');
    expect(text).toMatch(/\nFindings\n {2}\+ critical A {2}The tool search runs what its argument says {2}2a7e8bf8\n/);
  });

  it.each([60, 80, 120])('lets no target steer a terminal of %s columns', (columns) => {
    const text = renderDifference(difference, at(columns, 'always'));
    expect(text).not.toContain('\u001b[2J');
    expect(text).not.toContain('\u202e');
    const lines = stripVTControlCharacters(text).split('\n');
    for (const line of lines.filter((each) => /^ {2}[-~] /.test(each))) {
      expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    }
  });

  it('says so when nothing differs', () => {
    expect(renderDifference(compareRuns(cleanReport(), cleanReport()), at(80, 'never'))).toContain(
      '\nthe same in tools',
    );
  });
});
