import { describe, expect, it } from 'vitest';
import { RecordReader, RecordWriter, recordTypes, states } from './record.ts';
import { createRecordMemory } from './record-memory.ts';
import { RecordPump } from './record-pump.ts';

function write(writer: RecordWriter, number: number): void {
  writer.begin(recordTypes.call, number, 0, 0, 0);
  writer.commit(states.plain);
}

function numbersIn(chunk: Uint8Array): number[] {
  const reader = new RecordReader(chunk);
  const numbers: number[] = [];
  while (reader.next()) numbers.push(reader.pid);
  return numbers;
}

describe('RecordPump', () => {
  it('hands on what is written, without being called', async () => {
    const memory = createRecordMemory();
    const got: number[] = [];
    const pump = new RecordPump({
      memory,
      take: (chunk) => void got.push(...numbersIn(chunk)),
      onQuiet: () => undefined,
    });
    const writer = new RecordWriter(memory);
    write(writer, 1);
    write(writer, 2);
    await expect.poll(() => got).toEqual([1, 2]);
    write(writer, 3);
    await expect.poll(() => got).toEqual([1, 2, 3]);
    await pump.close();
  });

  it('hands on the rest at its end', async () => {
    const memory = createRecordMemory();
    const got: number[] = [];
    const pump = new RecordPump({
      memory,
      take: async (chunk) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        got.push(...numbersIn(chunk));
      },
      onQuiet: () => undefined,
    });
    const writer = new RecordWriter(memory);
    for (let number = 0; number < 5000; number += 1) write(writer, number);
    await pump.close();
    expect(got).toEqual([...Array(5000).keys()]);
  });

  it('says when a writer that stands has nothing to tell, and only then', async () => {
    const memory = createRecordMemory();
    let quiet = 0;
    const pump = new RecordPump({
      memory,
      take: () => undefined,
      onQuiet: () => {
        quiet += 1;
      },
    });
    const writer = new RecordWriter(memory);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(quiet).toBe(0);
    writer.setStanding(true);
    await expect.poll(() => quiet).toBeGreaterThan(1);
    await pump.close();
  });

  it('fails at its end when what it handed on was not taken, and offers the rest all the same', async () => {
    const memory = createRecordMemory();
    const offered: number[] = [];
    const pump = new RecordPump({
      memory,
      take: (chunk) => {
        offered.push(...numbersIn(chunk));
        throw new Error('the disk is full');
      },
      onQuiet: () => undefined,
    });
    const writer = new RecordWriter(memory);
    write(writer, 1);
    await expect.poll(() => offered).toEqual([1]);
    write(writer, 2);
    await expect(pump.close()).rejects.toThrow('the disk is full');
    expect(offered).toEqual([1, 2]);
  });
});
