import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../base/finding-schema.ts';
import type { Aim, ScanFinding, ScanOutput } from '../contract.ts';
import type { AuditFinding, AuditLine } from './contract.ts';
import { judgeAudit, parseAuditLines } from './read-lines.ts';
import { longestLineBytes, makeLineWriter } from './write-lines.ts';

const runs = { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) };

const aim: Aim = {
  label: 'http://127.0.0.1:8080/',
  host: '127.0.0.1',
  addresses: ['127.0.0.1'],
  ports: [{ from: 8080, to: 8080 }],
};

function output(text: string | Buffer, isWhole = true): ScanOutput {
  const stdout = typeof text === 'string' ? Buffer.from(text) : text;
  return { stdout, stderr: Buffer.alloc(0), outputFile: null, exitCode: 0, isWhole };
}

const finding: AuditFinding = {
  rule: 'http/no-csp',
  title: 'A page without a policy',
  severity: 'low',
  evidence_class: 'A',
  at: 'http://127.0.0.1:8080/',
  detail: 'missing',
  evidence: '> GET /\n< 200',
  remediation: 'Send one.',
  cwe: ['CWE-693'],
  repro: 'curl -ski http://127.0.0.1:8080/',
};

const lines = (...all: readonly (AuditLine | string)[]): string =>
  all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

describe('the lines of an auditor', () => {
  it('become findings, facts and notes', () => {
    const text = lines(
      { type: 'progress', phase: 'a', share: 0 },
      { type: 'finding', finding },
      { type: 'fact', name: 'status', value: { code: 200, odd: ['\u001b[31mred', null] } },
      { type: 'note', text: 'slow' },
      { type: 'end' },
    );
    expect(parseAuditLines(output(text))).toEqual({
      findings: [
        { kind: 'finding', ...finding },
        { kind: 'fact', name: 'status', value: { code: 200, odd: ['\\x1b[31mred', null] } },
      ],
      notes: ['slow'],
    });
  });

  it.each([
    ['nothing', '', ['the auditor did not come to its end']],
    ['no JSON', lines('{', { type: 'end' }), ['1 lines of the auditor could not be read']],
    [
      'other JSON',
      lines('[]', '5', 'null', '{"type":"x"}', { type: 'end' }),
      ['4 lines of the auditor could not be read'],
    ],
    [
      'a finding without a rule',
      lines('{"type":"finding","finding":{}}', { type: 'end' }),
      ['1 lines of the auditor could not be read'],
    ],
    [
      'a bad rule',
      lines({ type: 'finding', finding: { ...finding, rule: 'A b' } }, { type: 'end' }),
      ['1 lines of the auditor could not be read'],
    ],
    [
      'a line that is too long',
      lines(`"${'x'.repeat(longestLineBytes)}"`, { type: 'end' }),
      ['1 lines of the auditor could not be read'],
    ],
  ])('say so where there is %s', (_, text, notes) => {
    expect(parseAuditLines(output(text))).toEqual({ findings: [], notes });
  });

  it('keep what came before a time-out', () => {
    const cut = lines({ type: 'finding', finding }, '{"type":"find');
    const { findings, notes } = parseAuditLines(output(cut, false));
    expect(findings).toHaveLength(1);
    expect(notes).toEqual(['1 lines of the auditor could not be read']);
  });

  it('are bounded in number', () => {
    const { findings, notes } = parseAuditLines(
      output(`${JSON.stringify({ type: 'fact', name: 'a', value: 1 })}\n`.repeat(6000)),
    );
    expect(findings).toHaveLength(5000);
    expect(notes).toContain('1000 findings more than 5000 are left out');
  });

  it('become findings of Hotcell', () => {
    const { findings } = parseAuditLines(
      output(lines({ type: 'finding', finding }, { type: 'fact', name: 'a', value: 1 })),
    );
    const [judged, ...others] = judgeAudit(findings, aim);
    expect(findingSchema.parse(judged)).toMatchObject({
      rule: 'http/no-csp',
      axis: 'weakness',
      evidenceClass: 'A',
      repro: finding.repro,
    });
    expect(others).toEqual([]);
    const [info] = judgeAudit([{ kind: 'finding', ...finding, severity: 'info' }], aim);
    expect(info?.axis).toBe('exposure');
  });
});

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('http/no-csp', 'low', 'A', 'finding', ''),
);
const odd = fc.oneof(texts, fc.jsonValue({ maxDepth: 4 }), fc.constant(null), fc.array(texts, { maxLength: 4 }));
const oddFinding = fc.record(
  {
    kind: fc.constantFrom('finding', 'fact', 'x'),
    rule: fc.oneof(fc.constant('http/no-csp'), odd),
    title: odd,
    severity: fc.oneof(fc.constantFrom('low', 'info', 'critical'), odd),
    evidence_class: fc.oneof(fc.constantFrom('A', 'B'), odd),
    at: odd,
    detail: odd,
    evidence: odd,
    remediation: odd,
    cwe: fc.oneof(odd, fc.array(fc.constantFrom('CWE-1', 'x', 5))),
    repro: odd,
  },
  { requiredKeys: [] },
);
const oddLine = fc.oneof(
  fc.record({ type: fc.constant('finding'), finding: oddFinding }).map((line) => JSON.stringify(line)),
  fc
    .record({ type: fc.constantFrom('fact', 'note', 'progress', 'end', 'x'), name: odd, value: odd, text: odd })
    .map((line) => JSON.stringify(line)),
  fc.json(),
  texts,
);

describe('any garbage', () => {
  it('is read without failing, and what is kept fits the schema', () => {
    fc.assert(
      fc.property(fc.array(oddLine, { maxLength: 12 }), fc.boolean(), (all, isWhole) => {
        const { findings, notes } = parseAuditLines(output(all.join('\n'), isWhole));
        expect(notes.length).toBeLessThanOrEqual(110);
        for (const judged of judgeAudit(findings, aim)) findingSchema.parse(judged);
      }),
      runs,
    );
  });

  it('is read from any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(parseAuditLines(output(Buffer.from(bytes))).findings).toEqual([]);
      }),
      runs,
    );
  });

  it('is judged without failing', () => {
    fc.assert(
      fc.property(fc.array(oddFinding), (all) => {
        for (const judged of judgeAudit(all as readonly ScanFinding[], aim)) findingSchema.parse(judged);
      }),
      runs,
    );
  });

  it('is written in lines that can be read again', () => {
    const write = makeLineWriter(null);
    fc.assert(
      fc.property(odd, texts, (value, name) => {
        const line = write({ type: 'fact', name, value: value as string });
        expect(line).not.toContain('\n');
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(longestLineBytes);
        parseAuditLines(output(line));
      }),
      runs,
    );
  });
});
