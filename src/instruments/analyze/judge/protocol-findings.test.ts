import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../base/finding-schema.ts';
import { untrusted } from '../../../base/untrusted.ts';
import { made, numbered } from '../../../evidence/detectors/sample-events.ts';
import type { CallResult } from '../../../targets/conversation/contract.ts';
import type { HonestAnswer, ProtocolRecord } from './contract.ts';
import { gatherMessageFaults } from './message-faults.ts';
import { protocolFindings } from './protocol-findings.ts';

const counts = { cutFrames: 0, cutBytes: 0, floods: 0, noise: 0, notifications: 0, unreported: 0 };
const fine: ProtocolRecord = {
  handshake: { problems: [] },
  listing: { problems: [] },
  counts,
  answers: [],
  crashes: [],
  faults: { broken: [], brokenCount: 0, large: [], flood: null },
};

function answer(
  text: string,
  more: Partial<HonestAnswer> = {},
  outcome: CallResult['outcome'] = 'answered',
): HonestAnswer {
  return {
    kind: 'tool',
    name: 'status',
    callNumber: 1,
    result: { outcome, text: untrusted(text), durationMs: 8000 },
    ...more,
  };
}

const said = (content: string, more: object = {}) =>
  made('message', {
    direction: 'from-target',
    isJson: true,
    sizeBytes: content.length,
    content: { text: content },
    ...more,
  });

async function told(
  record: Partial<ProtocolRecord>,
  events: readonly ReturnType<typeof said>[] = [],
): Promise<readonly string[]> {
  const faults = events.length === 0 ? {} : { faults: await gatherMessageFaults(numbered(events)) };
  const findings = protocolFindings({ ...fine, ...record, ...faults });
  for (const finding of findings) expect(findingSchema.safeParse(finding).error).toBeUndefined();
  return findings.map(
    ({ evidenceClass, severity, rule }) => `${evidenceClass} ${severity} ${rule.replace('protocol/', '')}`,
  );
}

describe('a conversation', () => {
  it.each([
    { title: 'nothing', record: {}, rules: [] },
    { title: 'silence', record: { handshake: null, failure: 'no answer in time' }, rules: ['U medium no-handshake'] },
    {
      title: 'a broken handshake',
      record: { handshake: { problems: ['no name'] } },
      rules: ['D info broken-handshake'],
    },
    {
      title: 'a broken list',
      record: { listing: { problems: ['tool x has no input schema', 'y'] } },
      rules: ['D low broken-listing'],
    },
    {
      title: 'a message beyond the cap',
      record: { counts: { ...counts, cutFrames: 1, cutBytes: 2e8 } },
      rules: ['B medium oversized-message'],
    },
    { title: 'a flood', record: { counts: { ...counts, floods: 1 } }, rules: ['B medium flood'] },
    {
      title: 'endless notices',
      record: { counts: { ...counts, notifications: 26_000, unreported: 21_000 } },
      rules: ['B medium flood'],
    },
    { title: 'logs on stdout', record: { counts: { ...counts, noise: 40 } }, rules: [] },
    {
      title: 'no answer at all',
      record: { answers: [answer('', {}, 'timeout'), answer('', {}, 'timeout')] },
      rules: ['U low no-answer'],
    },
    { title: 'one answer of two', record: { answers: [answer('', {}, 'timeout'), answer('ok')] }, rules: [] },
    {
      title: 'a crash',
      record: { crashes: [{ tool: 'draw', during: 'honest' as const, callNumber: 3 }] },
      rules: ['C medium crash'],
    },
    {
      title: 'a crash by a trial',
      record: { crashes: [{ tool: 'draw', during: 'trial' as const, callNumber: 9, trial: 't' }] },
      rules: ['B medium crash'],
    },
  ])('with $title', async ({ record, rules }) => {
    expect(await told(record)).toEqual(rules);
  });

  it('names the call in which it ended', () => {
    const [finding] = protocolFindings({ ...fine, crashes: [{ tool: 'draw', during: 'honest', callNumber: 3 }] });
    expect(finding?.title).toBe('Ends during call 3, an honest call of tool "draw"');
  });

  it.each([
    {
      title: 'a cut answer',
      events: [said('{"jsonrpc":"2.0","id":3,"resu', { isJson: false })],
      rules: ['C medium broken-message'],
    },
    { title: 'a line of a log', events: [said('listening on stdio', { isJson: false })], rules: [] },
    { title: 'an honest answer', events: [said('{"jsonrpc":"2.0","id":3,"result":{}}')], rules: [] },
    {
      title: 'a large answer',
      events: [said('{', { sizeBytes: 2e7, isJson: false })],
      rules: ['B medium oversized-message'],
    },
    {
      title: 'two thousand messages',
      events: Array.from({ length: 2000 }, () => said('{"method":"x"}')),
      rules: ['B medium flood'],
    },
    {
      title: 'our own message',
      events: [made('message', { direction: 'to-target', isJson: false, content: { text: '{"jsonrpc' } })],
      rules: [],
    },
  ])('in which there is $title', async ({ events, rules }) => {
    expect(await told({}, events)).toEqual(rules);
  });
});
