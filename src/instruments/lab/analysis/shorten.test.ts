import { describe, expect, it } from 'vitest';
import type { LabReport, ToolRun } from '../report/schema.ts';
import { shortenReport } from './shorten.ts';

function tool(id: string, output: string): ToolRun {
  return {
    id,
    command: id,
    program: '1-1',
    status: 'findings',
    meaning: 'Finished.',
    exit_code: 0,
    elapsed_ms: 1,
    finding_count: 1,
    output,
    output_bytes: output.length,
    saved_to: `/out/${id}.txt`,
    facts: {},
    notes: [],
  };
}

const finding = { rule: 'a.b', title: 'kept' } as LabReport['findings'][number];

function report(outputs: readonly string[], facts: LabReport['analysers'][number]['facts'] = {}): LabReport {
  const analysers = [{ id: 'pe', version: 1, status: 'done' as const, elapsed_ms: 1, facts, notes: [] }];
  const tools = outputs.map((output, at) => tool(`tool-${at}`, output));
  return { mode: 'full', findings: [finding], indicators: [], tools, analysers } as unknown as LabReport;
}

describe('a report that has to fit', () => {
  it('is whole where it does', () => {
    const short = report(['a'.repeat(20_000)]);
    expect(shortenReport(short)).toEqual({ ...short, mode: 'full' });
  });

  it('keeps its findings and says where outputs are where it does not', () => {
    const { mode, findings, tools } = shortenReport(report(['a'.repeat(20_000), 'b'.repeat(20_000), 'short']));
    expect(mode).toBe('summary');
    expect(findings).toEqual([finding]);
    expect(tools.map(({ output, saved_to }) => [output.length, saved_to])).toEqual([
      [401, '/out/tool-0.txt'],
      [401, '/out/tool-1.txt'],
      [5, '/out/tool-2.txt'],
    ]);
  });

  it('leaves out large facts and keeps small ones', () => {
    const { analysers } = shortenReport(
      report([], { machine: 'x86', strings: Array.from({ length: 9000 }, () => 'text') }),
    );
    expect(analysers[0]?.facts.machine).toBe('x86');
    expect(analysers[0]?.facts.strings).toMatch(/^left out here: \d+ bytes/);
  });
});
