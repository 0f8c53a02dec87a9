import { describe, expect, it } from 'vitest';
import { sampleWorld } from '../arguments/sample-world.ts';
import type { Observed, Oracle, OracleKind, Trial, Verdict } from './contract.ts';
import { judgeTrial, settleVerdicts } from './judge-trial.ts';
import { answer, everyMeaning, observed, readBench, trialOf, trialsFor } from './sample-observed.ts';

function the<Kind extends OracleKind>(trial: Trial, kind: Kind): Extract<Oracle, { kind: Kind }> {
  const found = trial.oracles.find((oracle) => oracle.kind === kind);
  if (found === undefined) throw new Error(`${trial.id} has no ${kind}`);
  return found as Extract<Oracle, { kind: Kind }>;
}

function judge(trial: Trial, more: Partial<Observed>): ReturnType<typeof judgeTrial> {
  return judgeTrial(trial, observed(more));
}

describe('a tool that opens every path it is given', () => {
  it('does so by design for the ways up as well', () => {
    const open = trialsFor({ ...everyMeaning, description: 'Reads.' }, readBench());
    const verdicts = ['plain', 'up'].map((payload) => {
      const verdict = judge(trialOf(open, 'path-traversal', payload, '/path'), {
        result: answer(sampleWorld.outsideCanary),
      });
      if (verdict === null) throw new Error('no verdict');
      return verdict;
    });
    expect(verdicts.map(({ isByDesign }) => isByDesign)).toEqual([true, false]);
    expect(settleVerdicts(verdicts).map(({ isByDesign }) => isByDesign)).toEqual([true, true]);
    expect(settleVerdicts(verdicts.slice(1)).map(({ isByDesign }) => isByDesign)).toEqual([false]);
  });
});

describe('a way around a guard', () => {
  const open = trialsFor({ ...everyMeaning, description: 'Reads.' }, readBench());
  const path = (payload: string): Trial => trialOf(open, 'path-traversal', payload, '/path');
  const sql = (payload: string): Trial => trialOf(open, 'sql-injection', payload, '/sql');
  const proved = (trial: Trial, more: Partial<Observed>) => {
    const verdict = judge(trial, more);
    if (verdict === null) throw new Error(`${trial.id} is not proved`);
    return verdict;
  };
  const sibling = proved(path('sibling'), { result: answer(sampleWorld.sibling?.canary ?? '') });
  const plain = proved(path('plain'), { result: answer(sampleWorld.outsideCanary) });
  const made = (trial: Trial) => ({ newFiles: [the(trial, 'file-marker').path] });
  const left = proved(sql('read-only-escape'), made(sql('read-only-escape')));
  const write = proved(sql('write'), made(sql('write')));

  it.each([
    { what: 'the open way failed', verdicts: [sibling], tried: ['plain', 'sibling'], isByDesign: false },
    { what: 'the open way works too', verdicts: [plain, sibling], tried: ['plain', 'sibling'], isByDesign: true },
    { what: 'the open way was not tried', verdicts: [sibling], tried: ['sibling'], isByDesign: true },
  ])('by design is $isByDesign when $what', ({ verdicts, tried, isByDesign }) => {
    const settled = settleVerdicts(verdicts, tried.map(path));
    expect(settled.at(-1)).toMatchObject({ payload: 'sibling', isByDesign });
  });

  it('out of a transaction that may only read is one where a plain write is refused', () => {
    const tried = [sql('write'), sql('read-only-escape')];
    expect(settleVerdicts([left], tried)).toMatchObject([{ isByDesign: false }]);
    expect(settleVerdicts([write, left], tried)).toMatchObject([{ isByDesign: true }, { isByDesign: true }]);
  });

  it('around a limit of size is one where a page that tells its size is refused', () => {
    const bench = readBench();
    const trials = trialsFor(everyMeaning, bench);
    const [declared, undeclared] = ['declared-size', 'undeclared-size'].map((each) =>
      trialOf(trials, 'exhaustion', each),
    );
    if (declared === undefined || undeclared === undefined) throw new Error('no trials');
    const large = { result: answer(`the last line is ${sampleWorld.large?.canary}`) };
    const tried = [declared, undeclared];
    expect(settleVerdicts([proved(undeclared, large)], tried)).toMatchObject([{ isByDesign: false }]);
    const both = [proved(declared, large), proved(undeclared, large)];
    expect(settleVerdicts(both, tried)).toMatchObject([{ isByDesign: true }, { isByDesign: true }]);
  });
});

describe('a tool that goes to every address', () => {
  const base = {
    evidenceClass: 'A',
    events: [],
    excerpt: { text: '' },
    because: 'x',
    class: 'ssrf',
    tool: 'fetch',
    pointer: '/url',
    cwe: [],
    isByDesign: false,
  } as const;
  const verdict = (payload: string, oracle: 'request-to' | 'canary-in-result'): Verdict => ({
    ...base,
    payload,
    oracle,
    trial: `ssrf/${payload} fetch/url`,
  });

  it.each([
    { what: 'openly and hands nothing back', verdicts: [verdict('loopback', 'request-to')], settled: [true] },
    {
      what: 'openly, and in a disguise too',
      verdicts: [verdict('loopback', 'request-to'), verdict('ipv6', 'request-to')],
      settled: [true, true],
    },
    { what: 'and hands back what it found', verdicts: [verdict('loopback', 'canary-in-result')], settled: [false] },
    {
      what: 'and hands back only what a disguise found',
      verdicts: [verdict('loopback', 'request-to'), verdict('ipv6', 'canary-in-result')],
      settled: [false, false],
    },
    { what: 'only in a disguise', verdicts: [verdict('ipv6', 'request-to')], settled: [false] },
  ])('$what: by design is $settled', ({ verdicts, settled }) => {
    expect(settleVerdicts(verdicts).map(({ isByDesign }) => isByDesign)).toEqual(settled);
  });
});
