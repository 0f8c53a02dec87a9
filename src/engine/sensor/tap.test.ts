import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sighting } from './contract.ts';
import { Tap } from './tap.ts';

function openTap(prefix?: string): { tap: Tap; seen: Sighting[]; calls: string[] } {
  const seen: Sighting[] = [];
  const calls: string[] = [];
  const exchange = {
    started: (call: string) => void calls.push(`+${call}`),
    ended: (call: string) => void calls.push(`-${call}`),
  };
  const tap = new Tap((sighting) => void seen.push(sighting), exchange, prefix);
  return { tap, seen, calls };
}

const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read_file' } };

describe('a tap', () => {
  it('tells every message in both directions, and which calls are in flight', () => {
    const { tap, seen, calls } = openTap();
    tap.feed('to-target', line(request));
    tap.feed('from-target', line({ jsonrpc: '2.0', method: 'notifications/progress' }));
    tap.feed('from-target', line({ jsonrpc: '2.0', id: 7, result: {} }));
    expect(seen.map(({ fields }) => [fields.direction, fields.id, fields.isJson])).toEqual([
      ['to-target', 7, true],
      ['from-target', undefined, true],
      ['from-target', 7, true],
    ]);
    expect(calls).toEqual(['+7:tools/call:read_file', '-7:tools/call:read_file']);
  });

  it.each([
    { what: 'an answer nobody waits for', message: { id: 1, result: {} } },
    { what: 'a request of the target with an id of ours', message: { id: 7, method: 'sampling/createMessage' } },
    { what: 'an id of another type', message: { id: '7', result: {} } },
    { what: 'an id that is no id', message: { id: { a: 1 }, result: {} } },
    { what: 'a list', message: [1, 2] },
    { what: 'null', message: null },
  ])('is not misled by $what', ({ message }) => {
    const { tap, calls } = openTap();
    tap.feed('to-target', line(request));
    tap.feed('from-target', line(message));
    expect(calls).toEqual(['+7:tools/call:read_file']);
  });

  it('tells calls of several conversations apart by their prefix', () => {
    const { tap, calls } = openTap('client-cursor/');
    tap.feed('to-target', line(request));
    tap.feed('from-target', line({ jsonrpc: '2.0', id: 7, result: {} }));
    expect(calls).toEqual(['+client-cursor/7:tools/call:read_file', '-client-cursor/7:tools/call:read_file']);
  });

  it('keeps a call name within its cap, prefix included', () => {
    const { tap, calls } = openTap('p'.repeat(300));
    tap.feed('to-target', line({ ...request, params: { name: 'n'.repeat(300) } }));
    expect(calls[0]).toHaveLength(201);
  });

  it.each([
    { what: 'that waits', requestId: 7, isEnded: true },
    { what: 'of another id', requestId: 8, isEnded: false },
    { what: 'of another type of id', requestId: '7', isEnded: false },
    { what: 'of no id', requestId: undefined, isEnded: false },
    { what: 'of what is no id', requestId: { a: 1 }, isEnded: false },
  ])('a call $what is cancelled: $isEnded', ({ requestId, isEnded }) => {
    const { tap, calls } = openTap();
    tap.feed('to-target', line(request));
    tap.feed('to-target', line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
    expect(calls).toHaveLength(isEnded ? 2 : 1);
    // What comes too late ends nothing a second time.
    tap.feed('from-target', line({ jsonrpc: '2.0', id: 7, result: {} }));
    expect(calls).toEqual(['+7:tools/call:read_file', '-7:tools/call:read_file']);
  });

  it('cannot be told by the target that a call is cancelled', () => {
    const { tap, calls } = openTap();
    tap.feed('to-target', line(request));
    tap.feed('from-target', line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }));
    expect(calls).toEqual(['+7:tools/call:read_file']);
  });

  it('ends calls that nobody answered when it is closed', () => {
    const { tap, calls } = openTap();
    tap.feed('to-target', line(request));
    tap.close();
    expect(calls).toEqual(['+7:tools/call:read_file', '-7:tools/call:read_file']);
  });

  it('keeps what is no JSON, and what has no end', () => {
    const { tap, seen } = openTap();
    tap.feed('from-target', Buffer.from('Listening on stdio\n\xff\xfe', 'latin1'));
    const end = tap.close();
    expect(seen.map(({ fields }) => fields.content)).toEqual([{ text: 'Listening on stdio' }, { base64: '//4=' }]);
    expect(end).toMatchObject({ source: 'tap', received: 2, dropped: 0 });
  });

  it('cuts a huge line and says so', () => {
    const { tap, seen } = openTap();
    tap.feed('from-target', Buffer.alloc(6 * 1024 * 1024, 'x'));
    tap.feed('from-target', Buffer.from('\n'));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.fields.sizeBytes).toBe(6 * 1024 * 1024);
    expect(seen[0]?.truncated).toEqual(['content']);
    expect(tap.close().truncated).toBe(1);
  });

  it('tells the same messages however the bytes are cut', () => {
    const bytes = Buffer.concat([line(request), line({ id: 7, result: 'ü€😀' }), Buffer.from('plain\n')]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const { tap, seen } = openTap();
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (const [at, to] of places.entries()) tap.feed('from-target', bytes.subarray(places[at - 1] ?? 0, to));
        expect(seen.map(({ fields }) => fields.content)).toEqual(
          bytes
            .toString()
            .trimEnd()
            .split('\n')
            .map((text) => ({ text })),
        );
      }),
    );
  });
});
