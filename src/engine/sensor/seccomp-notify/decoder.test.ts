import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventSchema } from '../../../base/event-schema.ts';
import type { Sighting } from '../contract.ts';
import { heartbeatPath } from '../heartbeat.ts';
import { watchedCalls } from './calls.ts';
import { Decoder } from './decoder.ts';
import { byNumber, numberOf } from './numbers.ts';
import { RecordWriter, recordTypes, states } from './record.ts';
import { createRecordMemory, RecordTaker } from './record-memory.ts';

type Given = string | Uint8Array | null;

interface Call {
  readonly name: string;
  readonly args?: readonly number[];
  readonly pieces?: readonly Given[];
  readonly isCut?: boolean;
  readonly state?: number;
}

const number = { ...Object.fromEntries([...watchedCalls.keys()].map((name) => [name, numberOf(name)])) };

function writeCall(writer: RecordWriter, { name, args = [], pieces = [], isCut = false, state = 0 }: Call): void {
  writer.begin(recordTypes.call, 100, number[name] ?? -1, 5, 1000);
  for (let at = 0; at < 6; at += 1) writer.setArgument(at, args[at] ?? 0);
  for (const piece of pieces) {
    if (piece === null) writer.addAbsent();
    else writer.add(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece, isCut);
  }
  writer.commit(state);
}

function meet(writer: RecordWriter, pid: number, parent: number, name: string, argv: string): void {
  writer.begin(recordTypes.met, pid, parent, 5, 1000);
  writer.add(Buffer.from(name));
  writer.add(Buffer.from(argv));
  writer.commit(states.plain);
}

function createWriter(): { readonly writer: RecordWriter; readonly take: () => Uint8Array } {
  const memory = createRecordMemory();
  const taker = new RecordTaker(memory);
  return {
    writer: new RecordWriter(memory),
    take: () => taker.take(Number.POSITIVE_INFINITY) ?? new Uint8Array(),
  };
}

function decode(...calls: Call[]): Sighting[] {
  const { writer, take } = createWriter();
  for (const call of calls) writeCall(writer, call);
  return new Decoder().decode(take());
}

const text = (value: string): { text: string } => ({ text: value });
const ipv4 = Buffer.from([2, 0, 0, 80, 93, 184, 216, 34, 0, 0, 0, 0, 0, 0, 0, 0]);
const rows: [Call, string, unknown[]][] = [
  [{ name: 'openat', args: [-100, 0, 1], pieces: ['a,b', '/w'] }, 'open', [{ path: text('/w/a,b'), access: 'write' }]],
  [{ name: 'openat2', pieces: ['/x', null, '\u0041\u0002\0\0\0\0\0\0'] }, 'open', [{ creates: true, truncates: true }]],
  [{ name: 'unlinkat', args: [3, 0, 0x200], pieces: ['/d', null] }, 'unlink', [{ path: text('/d'), isFolder: true }]],
  [{ name: 'renameat2', pieces: ['a', '/w', '/b', null] }, 'rename', [{ from: text('/w/a'), to: text('/b') }]],
  [
    { name: 'symlinkat', pieces: ['../up', 'l', '/w'] },
    'link',
    [{ from: text('../up'), to: text('/w/l'), isSymbolic: true }],
  ],
  [{ name: 'linkat', pieces: ['', '/proc/x', '/b', null] }, 'link', [{ from: text('/proc/x'), isSymbolic: false }]],
  [
    { name: 'fchmod', args: [3, 0o100755], pieces: ['/f'] },
    'chmod',
    [{ path: text('/f'), mode: 0o755, call: 'fchmod' }],
  ],
  [{ name: 'fchmod', args: [3, 0o644], pieces: [null] }, 'chmod', [{ mode: 0o644, call: 'fchmod' }]],
  [{ name: 'fchownat', args: [0, 0, -1, 5], pieces: ['/f', null] }, 'chmod', [{ uid: -1, gid: 5, call: 'fchownat' }]],
  [{ name: 'mkdirat', args: [0, 0, 0o700], pieces: ['/d', null] }, 'mkdir', [{ path: text('/d'), mode: 0o700 }]],
  [{ name: 'connect', pieces: [ipv4] }, 'connect', [{ family: 'ipv4', address: '93.184.216.34', port: 80 }]],
  [{ name: 'sendmmsg', pieces: [ipv4, ipv4] }, 'send-to', [{ port: 80 }, { port: 80 }]],
  [{ name: 'listen', args: [3, 128] }, 'listen', [{ backlog: 128 }]],
  [{ name: 'memfd_create', pieces: ['n\n'] }, 'memfd', [{ name: text('n\n') }]],
  [{ name: 'ptrace', args: [16, 77] }, 'ptrace', [{ call: 'ptrace', request: 16, pid: 77 }]],
  [{ name: 'setresuid', args: [0, -1, 1] }, 'set-user', [{ call: 'setresuid', ids: [0, -1, 1] }]],
  [{ name: 'bpf' }, 'kernel', [{ call: 'bpf' }]],
  [
    { name: 'openat', pieces: ['\xff', '/w'] },
    'open',
    [{ path: { base64: Buffer.from('/w/\xff', 'latin1').toString('base64') } }],
  ],
];

describe('Decoder', () => {
  it.each(rows)('%j', (call, kind, expected) => {
    expect(decode(call)).toMatchObject(expected.map((fields) => ({ kind, fields, process: { pid: 100 } })));
  });

  it('names a process after its program only when that was started', () => {
    const { writer, take } = createWriter();
    const decoder = new Decoder();
    const exec = { name: 'execve', pieces: ['/usr/bin/a-very-long-program', null, '/w', 'one', 'two'] };
    meet(writer, 100, 7, 'perl', 'perl\0-e\0');
    writeCall(writer, { ...exec, state: states.failed });
    writeCall(writer, { ...exec, state: states.succeeded });
    writer.begin(recordTypes.ended, 100, 3 << 8, 5, 1000);
    writer.commit(states.plain);
    const old = { pid: 100, parent: 7, name: text('perl'), argv: [text('perl'), text('-e')] };
    const now = { pid: 100, parent: 7, name: text('a-very-long-pro'), argv: [text('one'), text('two')] };
    const fields = { path: text('/usr/bin/a-very-long-program'), argv: now.argv, cwd: text('/w') };
    const at = { monotonicNs: '5', wall: '1970-01-01T00:00:01.000Z' };
    expect(decoder.decode(take())).toEqual([
      { at, kind: 'fork', process: old, fields: {} },
      { at, kind: 'exec', process: old, fields, outcome: 'failed' },
      { at, kind: 'exec', process: now, fields, outcome: 'ok' },
      { at, kind: 'exit', process: now, fields: { code: 3 } },
    ]);
  });

  it('takes a child for what its parent is', () => {
    const { writer, take } = createWriter();
    meet(writer, 100, 7, 'perl', 'perl\0-e\0');
    writer.begin(recordTypes.met, 101, 100, 5, 1000);
    writer.commit(states.plain);
    const [, child] = new Decoder().decode(take());
    expect(child?.process).toEqual({ pid: 101, parent: 100, name: text('perl'), argv: [text('perl'), text('-e')] });
  });

  it('marks what is not complete, and what may not be true', () => {
    const [cut, invalid] = decode(
      { name: 'openat', pieces: ['/x', null], isCut: true },
      { name: 'openat', pieces: ['/x', null], state: states.invalid },
    );
    expect(cut?.truncated).toEqual(['path']);
    expect(invalid).toMatchObject({ truncated: ['arguments'], outcome: 'unknown' });
    const [argv] = decode({ name: 'execve', pieces: ['/x', null, '/', 'one', null] });
    expect(argv).toMatchObject({ truncated: ['argv'], fields: { argv: [text('one')] } });
  });

  it('recognises heartbeats and counts whole ones', () => {
    const { writer, take } = createWriter();
    const decoder = new Decoder();
    const beat = { nonce: 'ab'.repeat(16), number: 7 };
    writeCall(writer, { name: 'openat', pieces: [heartbeatPath(beat), null] });
    writeCall(writer, { name: 'connect', pieces: [Buffer.from([2, 0, 0, 8, 127, 0, 0, 1])] });
    writeCall(writer, { name: 'openat', pieces: [heartbeatPath(beat), null] });
    const found = decoder.decode(take());
    expect(found.map(({ kind, fields }) => [kind, fields.of])).toEqual([
      ['heartbeat', 'open'],
      ['heartbeat', 'connect'],
      ['heartbeat', 'open'],
    ]);
    expect(decoder.counts).toEqual({ received: 3, truncated: 0, heartbeats: 1 });
  });

  it('makes valid events of whatever a caller can hand in', () => {
    const names = [...byNumber([...watchedCalls.keys()].map((name) => [name, name] as const)).values()];
    const pieces = fc.array(fc.option(fc.uint8Array({ maxLength: 200 })), { minLength: 4, maxLength: 8 });
    const call = fc.record({
      name: fc.constantFrom(...names),
      args: fc.array(fc.integer(), { minLength: 6, maxLength: 6 }),
      pieces,
      isCut: fc.boolean(),
      state: fc.constantFrom(...Object.values(states)),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 5 }), (calls) => {
        for (const sighting of decode(...calls)) {
          const event = { seq: 0, run: 'r', phase: 'use', source: 's', ...sighting };
          expect(eventSchema.safeParse(event).error).toBeUndefined();
        }
      }),
    );
  });
});
