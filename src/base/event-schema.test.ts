import { describe, expect, it } from 'vitest';
import { type Completeness, eventSchema, isComplete } from './event-schema.ts';

const whole: Completeness = {
  source: 'seccomp-notify',
  attachedBeforeExec: true,
  received: 10,
  dropped: 0,
  merged: 0,
  truncated: 0,
  missingPoints: [],
  heartbeats: { expected: 2, seen: 2 },
};

describe('completeness', () => {
  it.each<{ what: string; change: Partial<Completeness>; complete: boolean }>([
    { what: 'everything seen', change: {}, complete: true },
    { what: 'nothing received, but alive', change: { received: 0 }, complete: true },
    { what: 'something cut', change: { truncated: 3 }, complete: true },
    { what: 'attached too late', change: { attachedBeforeExec: false }, complete: false },
    { what: 'one lost', change: { dropped: 1 }, complete: false },
    { what: 'a point missing', change: { missingPoints: ['syscall/unlink'] }, complete: false },
    { what: 'a heartbeat missing', change: { heartbeats: { expected: 2, seen: 1 } }, complete: false },
    { what: 'died', change: { diedAt: '2026-01-01T00:00:00.000Z' }, complete: false },
  ])('$what: $complete', ({ change, complete }) => {
    expect(isComplete({ ...whole, ...change })).toBe(complete);
  });
});

describe('an event', () => {
  const event = {
    seq: 0,
    at: { monotonicNs: '1', wall: '2026-01-01T00:00:00.000Z' },
    run: 'r',
    phase: 'start',
    source: 's',
    kind: 'exec',
    process: { pid: 2, parent: 1, name: { base64: '/w==' }, argv: [{ text: 'a,b\n"' }] },
    fields: { path: { text: '/bin/sh' } },
  };

  it('keeps names that are no text', () => {
    expect(eventSchema.parse(event)).toEqual(event);
  });

  it.each([
    { what: 'an unknown kind', change: { kind: 'dance' } },
    { what: 'an unknown phase', change: { phase: 'lunch' } },
    { what: 'an unknown key', change: { colour: 'red' } },
    { what: 'a time with a sign', change: { at: { monotonicNs: '-1', wall: '2026-01-01T00:00:00.000Z' } } },
    { what: 'a plain string where bytes of a target belong', change: { process: { pid: 2, parent: 1, name: 'sh' } } },
  ])('refuses $what', ({ change }) => {
    expect(eventSchema.safeParse({ ...event, ...change }).success).toBe(false);
  });
});
