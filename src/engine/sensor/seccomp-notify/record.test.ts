import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordReader, RecordWriter, recordTypes, states } from './record.ts';
import { createRecordMemory, RecordTaker } from './record-memory.ts';

type AnyPiece = { readonly bytes: Uint8Array; readonly isCut: boolean } | null;

const piece: fc.Arbitrary<AnyPiece> = fc.option(
  fc.record({ bytes: fc.uint8Array({ maxLength: 300 }), isCut: fc.boolean() }),
);
const record = fc.record({
  type: fc.constantFrom<number[]>(...Object.values(recordTypes)),
  state: fc.constantFrom<number[]>(...Object.values(states)),
  pid: fc.nat({ max: 4_194_304 }),
  third: fc.nat(),
  monotonicNs: fc.double({ min: 0, max: 2 ** 63, noNaN: true }),
  wallMs: fc.nat({ max: 2 ** 45 }),
  args: fc.array(fc.integer(), { minLength: 6, maxLength: 6 }),
  pieces: fc.array(piece, { maxLength: 8 }),
});
type AnyRecord = typeof record extends fc.Arbitrary<infer T> ? T : never;

function fill(writer: RecordWriter, { type, pid, third, monotonicNs, wallMs, args, pieces }: AnyRecord): void {
  writer.begin(type, pid, third, monotonicNs, wallMs);
  for (const [at, value] of args.entries()) writer.setArgument(at, value);
  for (const one of pieces) {
    if (one === null) writer.addAbsent();
    else writer.add(one.bytes, one.isCut);
  }
}

function readAll(chunk: Uint8Array): AnyRecord[] {
  const reader = new RecordReader(chunk);
  const records: AnyRecord[] = [];
  while (reader.next()) {
    const pieces = Array.from({ length: reader.pieceCount }, (_, at): AnyPiece => {
      const found = reader.piece(at);
      return found === null ? null : { bytes: Uint8Array.from(found.bytes), isCut: found.isCut };
    });
    const args = [0, 1, 2, 3, 4, 5].map((at) => reader.int(at));
    const { type, state, pid, third, monotonicNs, wallMs } = reader;
    records.push({ type, state, pid, third, monotonicNs, wallMs, args, pieces });
  }
  return records;
}

function createWriter(): { readonly writer: RecordWriter; readonly take: () => Uint8Array } {
  const memory = createRecordMemory();
  const taker = new RecordTaker(memory);
  const take = (): Uint8Array => {
    const chunk = taker.take(Number.POSITIVE_INFINITY) ?? new Uint8Array();
    taker.release();
    return chunk;
  };
  return { writer: new RecordWriter(memory), take };
}

describe('records', () => {
  it('come out as they went in', () => {
    const { writer, take } = createWriter();
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (records) => {
        for (const one of records) {
          fill(writer, one);
          writer.commit(one.state);
        }
        expect(readAll(take())).toEqual(records);
        expect(take()).toHaveLength(0);
      }),
    );
  });

  it('can be held back and put in later', () => {
    fc.assert(
      fc.property(record, record, record, (first, held, last) => {
        const { writer, take } = createWriter();
        fill(writer, first);
        writer.commit(first.state);
        fill(writer, held);
        const kept = writer.withdraw();
        fill(writer, last);
        writer.commit(last.state);
        writer.putBack(kept, held.state);
        expect(readAll(take())).toEqual([first, last, held]);
      }),
    );
  });

  it('vanish when they are not committed', () => {
    const { writer, take } = createWriter();
    writer.begin(recordTypes.call, 1, 2, 3, 4);
    writer.add(Buffer.from('nothing'));
    expect(take()).toHaveLength(0);
  });

  it('are read from any place in a buffer', () => {
    const { writer, take } = createWriter();
    writer.begin(recordTypes.call, 77, 2, 3, 4);
    writer.add(Buffer.from('abc'));
    writer.commit(states.plain);
    const chunk = take();
    const moved = new Uint8Array(chunk.length + 3);
    moved.set(chunk, 3);
    expect(readAll(moved.subarray(3))).toMatchObject([
      { pid: 77, pieces: [{ bytes: Uint8Array.from(Buffer.from('abc')) }] },
    ]);
  });
});
