import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../base/errors.ts';
import type { Event, Observation } from '../../base/event-schema.ts';
import { EventLog, readEvents } from './event-log.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync('/tmp/hotcell-events-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const seen: Observation = { phase: 'use', source: 'test', kind: 'open', fields: { path: { text: '/a' } } };

async function readAll(path: string): Promise<Event[]> {
  return Array.fromAsync(readEvents(path));
}

describe('the event log', () => {
  it('keeps order and position, and gives every event its time and run', async () => {
    const path = join(folder, 'events.ndjson');
    const log = await EventLog.create(path, 'run-1');
    await Promise.all(Array.from({ length: 500 }, (_, index) => log.add({ ...seen, fields: { index } })));
    await log.close();
    const events = await readAll(path);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, index) => index));
    expect(events.map(({ fields }) => fields.index)).toEqual(events.map(({ seq }) => seq));
    expect(new Set(events.map(({ run }) => run))).toEqual(new Set(['run-1']));
    const times = events.map(({ at }) => BigInt(at.monotonicNs));
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('can be read while it grows, without the line that is being written', async () => {
    const path = join(folder, 'events.ndjson');
    await using log = await EventLog.create(path, 'run-1');
    await log.add(seen);
    await expect.poll(() => readAll(path)).toHaveLength(1);
    appendFileSync(path, '{"seq":1,"run":"run-1","ph');
    expect(await readAll(path)).toHaveLength(1);
  });

  it('makes whoever is faster than the disk wait', async () => {
    const path = join(folder, 'events.ndjson');
    const log = await EventLog.create(path, 'run-1');
    const big = { text: 'x'.repeat(10_000) };
    for (let index = 0; index < 200; index += 1) await log.add({ ...seen, fields: { big } });
    // Two megabytes were taken, and no more than the buffer can still be on its way.
    expect(statSync(path).size).toBeGreaterThan(1_000_000);
    await log.close();
    expect(await readAll(path)).toHaveLength(200);
  });

  it('never writes over a log that is there', async () => {
    const path = join(folder, 'events.ndjson');
    await (await EventLog.create(path, 'run-1')).close();
    await expect(EventLog.create(path, 'run-2')).rejects.toThrow(/EEXIST/);
  });

  it('meets a broken line with its number', async () => {
    const path = join(folder, 'events.ndjson');
    await (await EventLog.create(path, 'run-1')).close();
    appendFileSync(path, 'nonsense\u001b[31m\n{}\n');
    await expect(readAll(path)).rejects.toThrow(/line 1 of the event log is no event: nonsense\\x1b/);
  });

  it('gives events or a HostError for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(), async (bytes, name) => {
        const path = join(folder, `fuzz-${name}-${Math.random()}`);
        appendFileSync(path, bytes);
        await readAll(path).catch((error: unknown) => expect(error).toBeInstanceOf(HostError));
      }),
      { numRuns: 60 },
    );
  });
});
