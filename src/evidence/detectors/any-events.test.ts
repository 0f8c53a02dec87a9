import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, type EventKind, eventKinds, phases } from '../../base/event-schema.ts';
import { findingSchema } from '../../base/finding-schema.ts';
import { detectorRules, detectors, runDetectors } from './index.ts';
import { numbered, opened, sampleContext } from './sample-events.ts';

/** Logs may come from anywhere: whatever stands in them, a detector says something valid or nothing. */

const words = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '/home/sam/.bashrc',
    '/proc/1/environ',
    'messages',
    'stdout',
    'x.example:1',
    'name y.example',
    'file /x',
    'variable A',
  ),
  fc.constantFrom(
    'sh',
    '-i',
    '-c',
    'curl x | sh',
    '[kworker/0]',
    '/dev/null',
    '8.8.8.8',
    'ipv4',
    'unix',
    'write',
    'read',
    'SIGKILL',
  ),
);
const field = fc.oneof(
  words,
  fc.record({ text: words }),
  fc.record({ base64: fc.base64String({ maxLength: 40 }) }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(
    fc.oneof(fc.record({ text: words }), fc.record({ seq: fc.nat() }), fc.record({ name: words }), fc.integer()),
    { maxLength: 5 },
  ),
  fc.record({ name: fc.oneof(words, fc.constant(null)), address: words, port: fc.nat(70_000) }),
);
const keys = fc.constantFrom(
  'path',
  'from',
  'to',
  'argv',
  'cwd',
  'access',
  'creates',
  'truncates',
  'family',
  'address',
  'port',
  'asked',
  'questions',
  'via',
  'planted',
  'encodings',
  'excerpt',
  'readBy',
  'vendor',
  'decoy',
  'limit',
  'detail',
  'state',
  'direction',
  'content',
  'bytes',
  'signal',
  'code',
  'ids',
  'call',
  'request',
  'type',
  'change',
  'serverName',
);
const event: fc.Arbitrary<Omit<Event, 'seq'>> = fc.record(
  {
    at: fc.constant({ monotonicNs: '1', wall: '2026-01-01T00:00:00.000Z' }),
    run: fc.constant('r'),
    phase: fc.constantFrom(...phases),
    call: fc.constantFrom('1:tools/call:a', '2:tools/call:run', 'x'),
    source: fc.constant('s'),
    process: fc.record({
      pid: fc.nat(5),
      parent: fc.nat(5),
      name: fc.record({ text: words }),
      argv: fc.array(fc.record({ text: words }), { maxLength: 4 }),
    }),
    kind: fc.constantFrom<EventKind>(...eventKinds),
    fields: fc.dictionary(keys, field, { maxKeys: 8 }) as fc.Arbitrary<Event['fields']>,
    outcome: fc.constantFrom<Event['outcome'] & string>('ok', 'denied', 'failed', 'unknown'),
  },
  { requiredKeys: ['at', 'run', 'phase', 'source', 'kind', 'fields'] },
);

describe('any events', () => {
  it('give valid findings with known rules, the same each time', async () => {
    const known = new Set(detectorRules.map(({ id }) => id));
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
        const findings = await runDetectors(numbered(events), sampleContext);
        for (const finding of findings) {
          expect(findingSchema.safeParse(finding).error).toBeUndefined();
          expect(known.has(finding.rule)).toBe(true);
          expect(finding.evidence.length).toBeGreaterThan(0);
        }
        expect(await runDetectors(numbered(events), sampleContext)).toEqual(findings);
      }),
      { numRuns: 300 },
    );
  });

  it('in any number take little memory', async () => {
    function* many(): Generator<Event> {
      for (let seq = 0; seq < 200_000; seq += 1) {
        const [made] = numbered([opened(`/tmp/file-${seq}`, 'write', { pid: seq % 4_000_000 })]);
        if (made !== undefined) yield { ...made, seq };
      }
    }
    const before = process.memoryUsage().heapUsed;
    expect(await runDetectors(many(), sampleContext)).toEqual([]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(256 * 1024 * 1024);
  });
});

describe('the list of detectors', () => {
  it('has ids and rules without repetition', () => {
    const ids = detectors.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rules = detectorRules.map(({ id }) => id);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it.each(detectorRules)('$id is explained', ({ id, what, why, remediation, fires, silent }) => {
    expect(id).toMatch(/^behaviour\/[a-z-]+$/);
    for (const text of [what, why, remediation, fires, silent]) expect(text.length).toBeGreaterThan(5);
  });
});
