import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { boundedNotes, describeScope } from './describe.ts';
import { sampleProbe } from './sample-probe.ts';

it('a scope is told with its pace and its times', async () => {
  const probe = await sampleProbe({
    rate: { requestsPerSecond: 7 },
    concurrency: { scans: 3 },
    expires: '2999-01-01T00:00:00Z',
    window: { from: '22:00', to: '06:00', days: ['mon', 'tue'] },
  });
  expect(await describeScope(probe, Date.now())).toMatchObject({
    rate: { requests_per_second: 7, connections_per_second: 300 },
    concurrency: { scans: 3, per_target: 2, connections: 100 },
    not_before: null,
    expires: '2999-01-01T00:00:00Z',
    window: '22:00 to 06:00 UTC on mon, tue',
  });
  await rm(probe.options.homeFolder, { recursive: true });
});

it.each([
  [0, 0, ''],
  [100, 100, 'note 99'],
  [101, 100, 'and 2 more notes on the scope'],
  [1000, 100, 'and 901 more notes on the scope'],
])('of %i notes %i are told', (given, told, last) => {
  const notes = boundedNotes(Array.from({ length: given }, (_, at) => `note ${at}`));
  expect(notes).toHaveLength(told);
  expect(notes.at(-1) ?? '').toBe(last);
});
