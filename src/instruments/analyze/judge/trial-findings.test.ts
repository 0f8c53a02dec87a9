import { describe, expect, it } from 'vitest';
import { proofSchema } from '../../../base/analysis-schema.ts';
import type { Event } from '../../../base/event-schema.ts';
import { findingSchema } from '../../../base/finding-schema.ts';
import { numbered, started } from '../../../evidence/detectors/sample-events.ts';
import { readTrialClasses, type Verdict } from '../interrogate/trials/index.ts';
import type { ProvenCall } from './contract.ts';
import { trialFindings } from './trial-findings.ts';
import { abilityRules, weaknessRules } from './weakness-rules.ts';

const events = numbered([
  started(['sh', '-c', 'x; touch m'], { pid: 7 }),
  started(['touch', 'm'], { pid: 8, parent: 7 }),
]);
const facts = { target: 'npm:notes@1.0.0', events: new Map<number, Event>(events.map((event) => [event.seq, event])) };

function proven(more: Partial<Verdict> = {}, isConfirmed = true): ProvenCall {
  return {
    verdict: {
      trial: 'command-injection/semicolon/list/folder',
      class: 'command-injection',
      payload: 'semicolon',
      tool: 'list',
      pointer: '/folder',
      oracle: 'exec-marker',
      evidenceClass: 'A',
      events: [0, 1],
      excerpt: { text: 'touch m' },
      because: 'an injected touch was executed',
      cwe: ['CWE-78'],
      isByDesign: false,
      ...more,
    },
    made: { input: { folder: 'x; touch m' } },
    isConfirmed,
  };
}

describe('a proven trial', () => {
  it('becomes a finding and a chain from the target to the effect', () => {
    const { findings, proofs, shown } = trialFindings([proven()], facts);
    expect(findings.map((finding) => findingSchema.parse(finding))).toMatchObject([
      {
        rule: 'weakness/command-injection',
        severity: 'critical',
        axis: 'weakness',
        evidenceClass: 'A',
        cwe: ['CWE-78'],
      },
    ]);
    expect(findings[0]?.title).toBe('Tool "list", /folder: a value reaches a shell and is obeyed');
    expect(findings[0]?.evidence.map(({ ref }) => ref)).toEqual([
      'tool:list',
      'trial:command-injection/semicolon/list/folder',
      'event:0',
      'event:1',
    ]);
    const [proof] = proofs.map((each) => proofSchema.parse(each));
    expect(proof?.finding).toBe(findings[0]?.id);
    expect(proof?.steps.map(({ kind }) => kind)).toEqual([
      'target',
      'call',
      'process',
      'process',
      'event',
      'event',
      'effect',
    ]);
    expect(proof?.replay).toMatchObject({ kind: 'trial', call: { input: { text: '{"folder":"x; touch m"}' } } });
    expect(shown).toEqual([
      {
        finding: findings[0]?.id,
        tool: 'list',
        class: 'command-injection',
        isByDesign: false,
        evidenceClass: 'A',
        pointers: ['/folder'],
      },
    ]);
  });

  it('is one finding per tool and class, with the strongest first', () => {
    const observed = proven({ evidenceClass: 'B', payload: 'backtick', pointer: '/name', events: [] });
    const { findings, proofs } = trialFindings([observed, proven(), proven({ tool: 'other' })], facts);
    expect(findings.map(({ title, evidenceClass }) => [title.slice(0, 27), evidenceClass])).toEqual([
      ['Tool "list", /name, /folder', 'A'],
      ['Tool "other", /folder: a va', 'A'],
    ]);
    expect(proofs).toHaveLength(2);
  });

  it('by design is an ability that decides nothing', () => {
    const { findings } = trialFindings([proven({ isByDesign: true })], facts);
    expect(findings).toMatchObject([
      { rule: 'ability/command-injection', severity: 'info', axis: 'exposure', evidenceClass: 'D' },
    ]);
  });

  it('keeps what happened twice before what happened once', () => {
    const once = proven({ payload: 'once', because: 'seen once' }, false);
    const { proofs } = trialFindings([once, proven()], facts);
    expect(proofs[0]?.steps.at(-1)?.title).toBe('an injected touch was executed');
  });

  it('stays whole whatever the tool is called and the input is', () => {
    const odd = proven({
      tool: `\u001b]0;x\u0007${'n'.repeat(9000)}`,
      trial: 't'.repeat(9000),
      events: [99],
      excerpt: { base64: '//8=' },
    });
    const { findings, proofs } = trialFindings([{ ...odd, made: { input: undefined } }], facts);
    expect(findings.map((finding) => findingSchema.safeParse(finding).error)).toEqual([undefined]);
    expect(proofs.map((proof) => proofSchema.safeParse(proof).error)).toEqual([undefined]);
  });
});

describe('rules about trials', () => {
  it('are there for every class, and for no other', () => {
    const classes = readTrialClasses().map((each) => each.class);
    expect([...weaknessRules.keys()].toSorted()).toEqual(classes.toSorted());
    expect([...abilityRules.keys()].toSorted()).toEqual(classes.toSorted());
  });
});
