import { describe, expect, it } from 'vitest';
import type { NetEvent } from '../event.ts';
import { AttemptCounter } from './attempts.ts';

const event = (kind: NetEvent['kind'], fields: NetEvent['fields'] = {}, wallMs = 0): NetEvent => ({
  sequence: 1,
  kind,
  at: { monotonicNs: '0', wallMs },
  transport: 'tcp',
  connection: 1,
  peer: { address: '10.200.0.2', port: 1 },
  asked: { address: '10.0.0.1', port: 443, name: null },
  isInsideTls: false,
  fields,
});

const question = (name: string, wallMs: number, code = 3): NetEvent =>
  event('dns-answer', { code, questions: [{ name, type: 'A' }] }, wallMs);

const cases: readonly (readonly [string, readonly NetEvent[], number, number])[] = [
  ['nothing', [event('connection-open'), event('egress-failed'), question('fine.example', 0, 0)], 0, 0],
  ['what was refused', [event('egress-refused'), event('egress-refused')], 2, 0],
  ['what was let through unlisted', [event('egress-allowed', { isListed: false })], 0, 1],
  ['nothing that is listed', [event('egress-allowed', { isListed: true })], 0, 0],
  ['a name that is asked for twice at once as one', [question('a.example', 0), question('a.example', 3)], 1, 0],
  ['it again when it is asked for later', [question('a.example', 0), question('a.example', 5000)], 2, 0],
  ['two names as two', [question('a.example', 0), question('b.example', 0)], 2, 0],
  ['an answer without a question', [event('dns-answer', { code: 3 })], 1, 0],
];

describe('AttemptCounter', () => {
  it.each(cases)('counts %s', (_, events, blocked, unlisted) => {
    const counter = new AttemptCounter();
    for (const each of events) counter.see(each);
    expect(counter.attempts).toEqual({ blocked, unlisted });
  });

  it('remembers no more names than it may, and counts all', () => {
    const counter = new AttemptCounter();
    for (let at = 0; at < 5000; at += 1) counter.see(question(`${at}.example`, at));
    expect(counter.attempts.blocked).toBe(5000);
  });
});
