import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordReader, RecordWriter, recordTypes, states } from './record.ts';
import { createRecordMemory, pageBytes, RecordTaker } from './record-memory.ts';

function write(writer: RecordWriter, number: number, bytes: number): void {
  writer.begin(recordTypes.call, number, 0, 0, 0);
  writer.add(Buffer.alloc(bytes));
  writer.commit(states.plain);
}

function numbersIn(chunk: Uint8Array): number[] {
  const reader = new RecordReader(chunk);
  const numbers: number[] = [];
  while (reader.next()) numbers.push(reader.pid);
  return numbers;
}

describe('the memory of records', () => {
  it('gives everything once and in order, in whole records, over any number of pages', () => {
    const size = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 60 }), fc.integer({ min: 1, max: pageBytes }), (sizes, mostBytes) => {
        const memory = createRecordMemory();
        const writer = new RecordWriter(memory);
        const taker = new RecordTaker(memory);
        const got: number[] = [];
        for (const [number, bytes] of sizes.entries()) {
          write(writer, number, bytes);
          // One behind the writer, and now and then far behind.
          if (number % 7 === 6) continue;
          for (let chunk = taker.take(mostBytes); chunk !== null; chunk = taker.take(mostBytes)) {
            got.push(...numbersIn(chunk));
            taker.release();
          }
        }
        for (let chunk = taker.take(mostBytes); chunk !== null; chunk = taker.take(mostBytes)) {
          got.push(...numbersIn(chunk));
          taker.release();
        }
        expect(got).toEqual([...sizes.keys()]);
      }),
      { numRuns: 30 },
    );
  });

  it('gives the same again until it is released', () => {
    const memory = createRecordMemory();
    write(new RecordWriter(memory), 7, 10);
    const taker = new RecordTaker(memory);
    expect(numbersIn(taker.take(1) ?? new Uint8Array())).toEqual([7]);
    expect(numbersIn(taker.take(1) ?? new Uint8Array())).toEqual([7]);
    taker.release();
    expect(taker.take(1)).toBeNull();
  });

  it('tells how much was written, and whether the writer stands', () => {
    const memory = createRecordMemory();
    const writer = new RecordWriter(memory);
    const taker = new RecordTaker(memory);
    const before = taker.written;
    write(writer, 1, 100);
    expect(taker.written).toBeGreaterThan(before);
    expect(taker.isWriterStanding).toBe(false);
    writer.setStanding(true);
    expect(taker.isWriterStanding).toBe(true);
  });

  it('makes a writer wait for a reader, and loses nothing', async () => {
    const memory = createRecordMemory();
    const count = 100;
    const source = `
      const { workerData } = require('node:worker_threads');
      import(workerData.url).then(({ RecordWriter }) => {
        const writer = new RecordWriter(workerData.memory);
        for (let number = 0; number < ${count}; number += 1) {
          writer.begin(0, number, 0, 0, 0);
          writer.add(Buffer.alloc(200000));
          writer.commit(0);
        }
      });`;
    const url = new URL('./record.ts', import.meta.url).href;
    const worker = new Worker(source, { eval: true, workerData: { memory, url } });
    const ended = new Promise<number>((resolve) => worker.once('exit', resolve));
    const taker = new RecordTaker(memory);
    // More than there is room for, so it has to stand still somewhere.
    await expect.poll(() => taker.written).toBeGreaterThan(3 * pageBytes);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taker.written).toBeLessThan(4 * pageBytes);
    const got: number[] = [];
    await expect
      .poll(() => {
        for (let chunk = taker.take(pageBytes); chunk !== null; chunk = taker.take(pageBytes)) {
          got.push(...numbersIn(chunk));
          taker.release();
        }
        return got.length;
      })
      .toBe(count);
    expect(got).toEqual([...Array(count).keys()]);
    expect(await ended).toBe(0);
  });
});
