import { describe, expect, it } from 'vitest';
import type { NetEvent } from '../event.ts';
import { type Batch, Outbox } from './outbox.ts';

function event(sequence: number, sizeBytes = 0): NetEvent {
  return {
    sequence,
    kind: 'raw-bytes',
    at: { monotonicNs: '1', wallMs: 1 },
    transport: 'tcp',
    connection: 1,
    peer: { address: '10.200.0.2', port: 1 },
    asked: { address: '1.2.3.4', port: 1, name: null },
    isInsideTls: false,
    fields: {},
    bytes: { base64: 'A'.repeat(sizeBytes), droppedBytes: 0 },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

describe('Outbox', () => {
  it('hands everything over once, in order, however slowly it is acknowledged', async () => {
    const sent: Batch[] = [];
    const outbox = new Outbox((batch) => sent.push(batch));
    for (let number = 1; number <= 5000; number += 1) void outbox.put(event(number));
    let acknowledged = 0;
    while (acknowledged < sent.length || acknowledged === 0) {
      await turn();
      expect(sent.length - acknowledged).toBeLessThanOrEqual(4);
      if (acknowledged < sent.length) {
        acknowledged += 1;
        outbox.acknowledge();
      }
    }
    const numbers = sent.flatMap(({ events }) => events.map(({ sequence }) => sequence));
    expect(numbers).toEqual(Array.from({ length: 5000 }, (_, at) => at + 1));
  });

  it('makes the producer wait when too much is waiting, and lets it go on afterwards', async () => {
    const sent: Batch[] = [];
    const outbox = new Outbox((batch) => sent.push(batch));
    let isLetGo = false;
    const puts = Array.from({ length: 40 }, (_, at) => outbox.put(event(at + 1, 512 * 1024)));
    void Promise.all(puts).then(() => {
      isLetGo = true;
    });
    await turn();
    expect({ isLetGo, batches: sent.length }).toEqual({ isLetGo: false, batches: 4 });
    while (sent.length < 40) {
      outbox.acknowledge();
      await turn();
    }
    expect(isLetGo).toBe(true);
  });

  it('is drained when the last batch is acknowledged, not before', async () => {
    const outbox = new Outbox(() => undefined);
    await outbox.drain();
    void outbox.put(event(1));
    let isDrained = false;
    const drained = outbox.drain().then(() => {
      isDrained = true;
    });
    await turn();
    expect(isDrained).toBe(false);
    outbox.acknowledge();
    await drained;
  });
});
