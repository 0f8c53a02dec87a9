import { compareSsdeep, tlshDistance } from '../analysers/general/index.ts';
import { type ComparedSample, compareSamples, type SampleDiff } from '../behaviours/index.ts';
import type { Depth } from '../contract.ts';
import type { Lab } from '../lab.ts';
import { factOf, type KnownSample, knowSample } from './know-sample.ts';

/** Two samples side by side. */

const mostStrings = 20_000;

function toCompared({ sample, kind, runs, facts }: KnownSample): ComparedSample {
  const entropy = factOf(facts, 'entropy');
  const texts = runs.filter(({ analyser }) => analyser === 'strings').flatMap(({ result }) => result.texts);
  return {
    name: sample.name,
    kind: kind.id,
    sha256: sample.sha256,
    sizeBytes: sample.sizeBytes,
    entropy: typeof entropy === 'number' ? entropy : null,
    facts,
    findings: runs.flatMap(({ result }) => result.findings),
    strings: texts.flatMap(({ text }) => text.split('\n')).slice(0, mostStrings),
  };
}

function textFact({ facts }: KnownSample, name: string): string | null {
  const value = factOf(facts, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

function similarity(a: KnownSample, b: KnownSample) {
  const [firstDeep, secondDeep] = [textFact(a, 'ssdeep'), textFact(b, 'ssdeep')];
  const [firstTlsh, secondTlsh] = [textFact(a, 'tlsh'), textFact(b, 'tlsh')];
  return {
    ssdeep: firstDeep === null || secondDeep === null ? null : compareSsdeep(firstDeep, secondDeep),
    tlsh: firstTlsh === null || secondTlsh === null ? null : tlshDistance(firstTlsh, secondTlsh),
  };
}

export async function compareTwo(
  lab: Lab,
  files: readonly [string, string],
  depth: Depth,
  signal: AbortSignal,
): Promise<{ readonly a: KnownSample; readonly b: KnownSample; readonly diff: SampleDiff }> {
  const a = await knowSample(lab, files[0], depth, signal);
  const b = await knowSample(lab, files[1], depth, signal);
  return { a, b, diff: compareSamples(toCompared(a), toCompared(b), similarity(a, b)) };
}
