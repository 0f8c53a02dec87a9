import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { type Finding, findingId, severities } from '../../base/finding-schema.ts';
import type { Report } from '../../base/report-schema.ts';
import { sarif } from './sarif.ts';

/** The schema is of an older draft; all that differs in what it uses is the name of its id. */
function readSchema(): object {
  const path = new URL('../../../test/samples/schema/sarif-2.1.0-rtm.5.json', import.meta.url);
  const { id: _, $schema: _old, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return schema;
}

const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(ajv);
const validate = ajv.compile(readSchema());

function finding(overrides: Partial<Finding>): Finding {
  return {
    id: findingId('a/b', [JSON.stringify(overrides)]),
    rule: 'a/b',
    title: 'a title',
    severity: 'medium',
    axis: 'weakness',
    evidenceClass: 'D',
    cwe: ['CWE-22'],
    owasp: [],
    locations: [],
    evidence: [],
    remediation: 'a remedy',
    ...overrides,
  };
}

function report(findings: readonly Finding[]): Report {
  return {
    format: 'hotcell-report',
    version: 1,
    instrument: 'scan',
    tool: { name: 'hotcell', version: '0.1.0' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    isComplete: false,
    subjects: [
      {
        target: { kind: 'folder', spec: '.' },
        findings: [...findings],
        suppressed: [{ finding: finding({}), by: 'inline', reason: 'known' }],
        checks: [{ id: 'x', title: 'x', is: 'unknown', because: 'no', facts: {} }],
      },
    ],
  };
}

describe('a SARIF document', () => {
  it.each([
    { what: 'nothing', findings: [] },
    { what: 'every severity', findings: severities.map((severity) => finding({ severity })) },
    {
      what: 'a flow through odd names',
      findings: [
        finding({
          locations: [
            { path: 'a b/ü#?.js', line: 1, step: 'source' },
            { path: 'c%20d.js', line: 3, column: 2, endLine: 4, step: 'sink' },
          ],
        }),
      ],
    },
    {
      what: 'evidence that is no text',
      findings: [finding({ evidence: [{ kind: 'source', ref: 'x', excerpt: { base64: '/w==' } }] })],
    },
  ])('is valid with $what', ({ findings }) => {
    const document: unknown = JSON.parse(sarif.render({ report: report(findings), rules: [], boms: [] }));
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  });

  it('is told apart from what is none', () => {
    expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false);
  });
});
