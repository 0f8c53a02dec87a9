import { describe, expect, it } from 'vitest';
import { type Finding, findingSchema } from '../../../base/finding-schema.ts';
import { makeFinding } from '../inspect/rule.ts';
import { weakPathChecks } from '../inspect/taint/judge.ts';
import { taintRules } from '../inspect/taint/rules.ts';
import type { Verdict } from '../interrogate/trials/index.ts';
import { promote, suspicionOf } from './promote.ts';
import { trialFindings } from './trial-findings.ts';

const facts = { target: 'npm:notes@1.0.0', events: new Map() };

function suspected(rule: keyof typeof taintRules, parameter: string, tool = 'list'): Finding {
  return makeFinding(taintRules[rule], {
    identity: [tool, parameter, rule],
    title: `Argument "${parameter}" of tool "${tool}" reaches exec: as text`,
    evidence: [{ kind: 'source', ref: 'a.js:3', excerpt: { text: 'exec(x)' } }],
  });
}

function shown(more: Partial<Verdict> = {}) {
  const verdict: Verdict = {
    trial: 't',
    class: 'command-injection',
    payload: 'semicolon',
    tool: 'list',
    pointer: '/folder',
    oracle: 'exec-marker',
    evidenceClass: 'A',
    events: [],
    excerpt: { text: 'x' },
    because: 'it ran',
    cwe: ['CWE-78'],
    isByDesign: false,
    ...more,
  };
  return { verdict, made: { input: {} } };
}

describe('a suspicion of inspection', () => {
  it.each([
    [
      'taint/command-injection',
      'Argument "folder" of tool "list" reaches exec: x',
      { class: 'command-injection', tool: 'list', parameter: 'folder' },
    ],
    [
      'taint/regex-injection',
      'The arguments of tool "a b" reach RegExp: x',
      { class: 'exhaustion', tool: 'a b', parameter: undefined },
    ],
    ['taint/ssrf', 'Argument "url" of a tool reaches fetch: x', { class: 'ssrf', tool: undefined, parameter: 'url' }],
    ['taint/not-analysed', 'Code that could not be looked at', null],
    ['metadata/open-schema', 'tool x', null],
  ])('%s is read off its finding', (rule, title, suspicion) => {
    expect(suspicionOf({ rule, title })).toEqual(suspicion);
  });

  it('that was proven becomes the proof, and is told once', () => {
    const static_ = suspected('taint/command-injection', 'folder');
    const trials = trialFindings([shown()], facts);
    const { findings, proofs } = promote([static_], trials, [{ tool: 'list', class: 'command-injection' }]);
    expect(findings).toHaveLength(1);
    expect(findingSchema.parse(findings[0])).toMatchObject({
      id: static_.id,
      rule: 'taint/command-injection',
      evidenceClass: 'A',
      severity: 'critical',
    });
    expect(findings[0]?.title).toMatch(/^Proven by trial: Argument "folder"/);
    expect(findings[0]?.evidence.map(({ ref }) => ref)).toEqual([
      'a.js:3',
      `finding:${trials.findings[0]?.id}`,
      'tool:list',
      'trial:t',
    ]);
    expect(proofs.map(({ finding }) => finding)).toEqual([static_.id]);
  });

  it('of another argument of the tool stays a suspicion', () => {
    const [folder, name] = [
      suspected('taint/command-injection', 'folder'),
      suspected('taint/command-injection', 'folderName'),
    ];
    const { findings } = promote([name, folder], trialFindings([shown()], facts), [
      { tool: 'list', class: 'command-injection' },
    ]);
    expect(findings.map(({ evidenceClass }) => evidenceClass)).toEqual(['D', 'A']);
    expect(JSON.stringify(findings[0]?.evidence)).toContain('exercised without effect: 1 trials of command-injection');
  });

  it('that nothing tried says so', () => {
    const { findings } = promote([suspected('taint/ssrf', 'url')], trialFindings([], facts), [
      { tool: 'other', class: 'ssrf' },
    ]);
    expect(JSON.stringify(findings[0]?.evidence)).toContain('not exercised: no trial of ssrf');
    expect(findings[0]?.evidenceClass).toBe('D');
  });

  it('of what the tool is for keeps its class, and the ability is not told again', () => {
    const { findings } = promote(
      [suspected('taint/command-execution', 'folder')],
      trialFindings([shown({ isByDesign: true })], facts),
      [],
    );
    expect(findings).toMatchObject([{ rule: 'taint/command-execution', evidenceClass: 'D', severity: 'medium' }]);
  });

  it('of a check that is too weak is proven by what passes it, by design or not', () => {
    const weak = suspected('taint/path-traversal', 'folder');
    const checked = { ...weak, title: weak.title.replace('as text', weakPathChecks.dots) };
    const trials = trialFindings([shown({ class: 'path-traversal', isByDesign: true })], facts);
    expect(promote([checked], trials, []).findings).toMatchObject([{ evidenceClass: 'A' }]);
    expect(promote([weak], trials, []).findings).toMatchObject([{ evidenceClass: 'D' }]);
  });

  it('of another tool or class takes up nothing', () => {
    const other = [suspected('taint/command-injection', 'folder', 'other'), suspected('taint/ssrf', 'folder')];
    const { findings, proofs } = promote(other, trialFindings([shown()], facts), []);
    expect(findings.map(({ rule }) => rule)).toEqual([
      'taint/command-injection',
      'taint/ssrf',
      'weakness/command-injection',
    ]);
    expect(proofs[0]?.finding).toBe(findings[2]?.id);
  });

  it('that is none passes as it is', () => {
    const [finding] = [{ ...suspected('taint/ssrf', 'url'), rule: 'secrets/key' }];
    expect(promote([finding], trialFindings([], facts), []).findings).toEqual([finding]);
  });
});
