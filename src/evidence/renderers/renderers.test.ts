import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Finding, findingId, severities } from '../../base/finding-schema.ts';
import { type Report, reportSchema, worstFirst } from '../../base/report-schema.ts';
import type { RuleText } from '../rule-text.ts';
import { rendererFor, renderers } from './index.ts';

const hostile = '<script>alert(1)</script> ```\n# heading | \u001b[2J \u202eevil';

function finding(overrides: Partial<Finding> = {}): Finding {
  return {
    id: findingId('taint/command', ['a.js', 'run']),
    rule: 'taint/command',
    title: `an argument reaches a shell ${hostile}`.slice(0, 256),
    severity: 'critical',
    axis: 'weakness',
    evidenceClass: 'D',
    cwe: ['CWE-78'],
    owasp: ['MCP05'],
    locations: [
      { path: 'dist/a.js', line: 3, step: 'argument `dir` of tool list' },
      { path: 'dist/a b#c?.js', line: 9, column: 4, step: 'exec' },
    ],
    evidence: [{ kind: 'source', ref: 'dist/a.js:9', excerpt: { text: hostile } }],
    remediation: 'use execFile with a list of arguments',
    ...overrides,
  };
}

const rule: RuleText = {
  id: 'taint/command',
  title: 'an argument reaches a shell',
  severity: 'critical',
  axis: 'weakness',
  cwe: ['CWE-78'],
  owasp: ['MCP05'],
  what: 'what',
  why: 'why',
  remediation: 'remedy',
  fires: 'exec(`ls ${dir}`)',
  silent: "execFile('ls', [dir])",
};

function report(findings: readonly Finding[] = [finding()]): Report {
  return {
    format: 'hotcell-report',
    version: 1,
    instrument: 'scan',
    tool: { name: 'hotcell', version: '0.1.0' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 12,
    isComplete: false,
    subjects: [
      {
        target: { kind: 'npm', spec: 'npm:x@1', resolved: { name: 'x', version: '1.0.0' } },
        findings: [...findings],
        suppressed: [{ finding: finding({ id: '0123456789abcdef' }), by: 'baseline', reason: 'known' }],
        checks: [{ id: 'osv', title: 'OSV', is: 'unknown', because: 'not reachable', facts: { packages: 3 } }],
      },
    ],
  };
}

const input = { report: report(), rules: [rule], boms: [{ bomFormat: 'CycloneDX' }] };

describe('every renderer', () => {
  it.each(renderers.map((renderer) => [renderer.id, renderer] as const))('%s is the same every time', (_, renderer) => {
    expect(renderer.render(input)).toBe(renderer.render(input));
  });

  it.each(renderers.map((renderer) => [renderer.id, renderer] as const))(
    '%s lets nothing of a target steer whoever reads it',
    (_, renderer) => {
      const text = renderer.render(input);
      expect(text).not.toContain('\u001b');
      expect(text).not.toContain('\u202e');
    },
  );
});

describe('html', () => {
  it('has no element that a target wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const title = `x${text}`.slice(0, 200);
        const made = report([
          finding({ title, remediation: title, evidence: [{ kind: 'source', ref: title, excerpt: { text } }] }),
        ]);
        const html = rendererFor('r.html')?.render({ ...input, report: made }) ?? '';
        const tags = new Set([...html.matchAll(/<\/?([a-z0-9!]+)/gi)].map((match) => match[1]?.toLowerCase()));
        for (const tag of ['script', 'img', 'iframe', 'object', 'base', 'form']) expect(tags.has(tag)).toBe(false);
      }),
    );
    const html = rendererFor('r.html')?.render(input) ?? '';
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain("default-src 'none'");
  });
});

describe('markdown', () => {
  it('keeps what a target wrote inside its fence', () => {
    const text = rendererFor('r.md')?.render(input) ?? '';
    expect(text).toMatch(/````text\n[\s\S]*```[\s\S]*\n````/);
    const outside = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(outside.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# Hotcell scan']);
  });
});

describe('sarif', () => {
  const document = (made: Report) =>
    JSON.parse(rendererFor('r.sarif')?.render({ ...input, report: made }) ?? '{}') as {
      runs: { results: Record<string, unknown>[]; tool: { driver: { rules: { id: string }[] } } }[];
    };

  it('has a place, a fingerprint and a rule for every result', () => {
    const made = document(
      report([finding(), finding({ rule: 'package/hook', locations: [], id: 'ffffffffffffffff' })]),
    );
    const [run] = made.runs;
    expect(run?.results).toHaveLength(3);
    for (const result of run?.results ?? []) {
      expect(result).toMatchObject({
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: expect.any(String) },
              region: { startLine: expect.any(Number) },
            },
          },
        ],
        partialFingerprints: { 'hotcellFinding/v1': expect.stringMatching(/^[0-9a-f]{16}$/) },
      });
      expect(run?.tool.driver.rules[result.ruleIndex as number]?.id).toBe(result.ruleId);
    }
    expect(run?.results[0]).toMatchObject({ codeFlows: [{ threadFlows: [{ locations: [{}, {}] }] }] });
  });

  it('keeps the lines of a proof, and lets none of them pass for one of its own', () => {
    const excerpt = { text: 'curl -s x\n\u001b[2Jtotal: 0 findings' };
    const made = finding({ title: 'it leaks', evidence: [{ kind: 'source', ref: 'command', excerpt }] });
    const [run] = document(report([made])).runs;
    expect(run?.results.map(({ message }) => message)).toContainEqual({
      text: 'it leaks\ncommand: \n    curl -s x\n    \\x1b[2Jtotal: 0 findings',
    });
  });

  it('writes paths as references that parse', () => {
    const [run] = document(report()).runs;
    expect(JSON.stringify(run?.results[0]?.locations)).toContain('dist/a%20b%23c%3F.js');
  });
});

describe('a report', () => {
  it('is what its schema says', () => {
    expect(reportSchema.parse(report())).toEqual(report());
  });

  it('is read worst first', () => {
    const all = severities.map((severity) => finding({ severity }));
    expect(worstFirst(all).map(({ severity }) => severity)).toEqual(severities.toReversed());
  });
});

describe('the format of a file', () => {
  it.each([
    ['a.json', 'json'],
    ['a.sarif', 'sarif'],
    ['a.sarif.json', 'sarif'],
    ['A.CDX.JSON', 'cyclonedx'],
    ['a.md', 'markdown'],
    ['a.htm', 'html'],
  ])('%s is %s', (path, id) => {
    expect(rendererFor(path)?.id).toBe(id);
  });

  it.each(['a', 'a.txt', 'json'])('%s is none', (path) => {
    expect(rendererFor(path)).toBeNull();
  });
});
