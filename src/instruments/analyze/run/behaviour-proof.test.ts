import { describe, expect, it } from 'vitest';
import { proofSchema } from '../../../base/analysis-schema.ts';
import type { Event } from '../../../base/event-schema.ts';
import { type Finding, findingId } from '../../../base/finding-schema.ts';
import { numbered, opened, requested } from '../../../evidence/detectors/sample-events.ts';
import { firstVariant } from '../interrogate/listings/index.ts';
import { behaviourProof } from './behaviour-proof.ts';

const at = (event: Event, ns: number): Event => ({ ...event, at: { ...event.at, monotonicNs: String(ns) } });
const events = numbered([
  opened('/home/sam/.npmrc'),
  requested('evil.example', { phase: 'idle', call: '7:tools/call:x' }),
]);
const known = new Map(events.map((event, index) => [event.seq, at(event, (index + 1) * 100)]));

function finding(...refs: readonly string[]): Finding {
  return {
    id: findingId('a/b', refs),
    rule: 'a/b',
    title: 'It sends a file',
    severity: 'high',
    axis: 'hostility',
    evidenceClass: 'A',
    cwe: [],
    owasp: [],
    locations: [],
    evidence: refs.map((ref) => ({ kind: 'event', ref, excerpt: { text: `seen at ${ref}` } })),
    remediation: 'do not',
  };
}

function proofOf(of: Finding, variants: { id: string; fromNs: bigint; toNs: bigint }[] = []) {
  const proof = behaviourProof(of, { target: 'npm:x@1', events: known, detonated: { variants }, firstVariant });
  return proofSchema.parse(proof);
}

describe('the proof of a behaviour', () => {
  it('goes from the target over call and process to what was seen', () => {
    const { steps, replay } = proofOf(finding('event:0', 'event:1'));
    expect(steps.map(({ kind }) => kind)).toEqual(['target', 'call', 'process', 'event', 'event', 'effect']);
    expect(steps.map(({ event }) => event)).toEqual([undefined, undefined, 0, 0, 1, undefined]);
    expect(steps.at(-1)).toMatchObject({ title: 'It sends a file', detail: { text: 'seen at event:0' } });
    expect(replay).toEqual({ kind: 'phase', phase: 'idle', variant: firstVariant.id });
  });

  it.each([
    { ns: 150, id: firstVariant.id },
    { ns: 200, id: 'client-cursor' },
    { ns: 260, id: firstVariant.id },
  ])('names the session of the last event: from $ns', ({ ns, id }) => {
    const variants = [{ id: 'client-cursor', fromNs: BigInt(ns - 40), toNs: BigInt(ns + 10) }];
    expect(proofOf(finding('event:0', 'event:1'), variants).replay).toMatchObject({ variant: id });
  });

  it.each([
    ['no evidence', []],
    ['evidence elsewhere', ['src/a.js:3', 'event:x', 'event:']],
    ['events that are gone', ['event:99']],
  ])('is short where there is %s, and cannot be done again', (_, refs) => {
    const proof = proofOf(finding(...refs));
    expect(proof.steps.map(({ kind }) => kind)).toEqual(['target', 'effect']);
    expect(proof.replay).toBeUndefined();
  });

  it('fits into a report, however much was seen', () => {
    const refs = Array.from({ length: 50 }, () => 'event:1');
    expect(proofOf(finding(...refs)).steps.length).toBeLessThanOrEqual(16);
  });
});
