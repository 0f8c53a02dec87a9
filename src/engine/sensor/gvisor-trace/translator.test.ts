import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventSchema } from '../../../base/event-schema.ts';
import type { Sighting } from '../contract.ts';
import { messageTypes as types } from './messages.ts';
import { Translator } from './translator.ts';

type Value = number | bigint | string | Uint8Array | readonly Field[];
type Field = readonly [number: number, value: Value];

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return [...bytes, Number(left)];
}

function encode(fields: readonly Field[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'bigint')
        return [...varint(BigInt(number * 8)), ...varint(BigInt(value))];
      const content =
        typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : encode(value);
      return [...varint(BigInt(number * 8 + 2)), ...varint(BigInt(content.length)), ...content];
    }),
  );
}

const wallStart = 1_800_000_000_000_000_000n;
const loopback = Uint8Array.from([2, 0, 0, 6, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
/** Numbers of x86-64. */
const calls = {
  openat: 257,
  execve: 59,
  execveat: 322,
  unlink: 87,
  connect: 42,
  chdir: 80,
  fchdir: 81,
  clone: 56,
  sendto: 44,
};

let seen: Sighting[] = [];
let now = 0n;
let translator: Translator;

function startTranslator(sandbox = 0): Translator {
  seen = [];
  now = 1_000_000_000n;
  const clock = { now: () => now, startNs: 1_000_000_000n, offsetNs: 1_000_000_000n - wallStart };
  return new Translator(clock, (sighting) => seen.push(sighting), { architecture: 'x64', sandbox });
}

/** Every message comes a millisecond after the one before. */
function context(pid: number, thread = pid): Field {
  now += 1_000_000n;
  return [
    1,
    [
      [1, now - 1_000_000_000n + wallStart],
      [2, thread],
      [4, pid],
    ],
  ];
}

function take(type: number, ...fields: readonly Field[]): boolean {
  return translator.take(type, encode(fields));
}

const ended = (errno = 0): Field => [2, errno === 0 ? [] : [[2, errno]]];
const enter = (pid: number, number: number, args: readonly Field[] = [], thread = pid): boolean =>
  take(types.rawCall, context(pid, thread), [4, number], ...args);
const leave = (pid: number, number: number, errno = 0, thread = pid): boolean =>
  take(types.rawCall, context(pid, thread), ended(errno), [4, number]);
const open = (pid: number, path: string, errno = 0, folder = -100, folderPath = '', thread = pid): boolean =>
  take(types.open, context(pid, thread), ended(errno), [3, calls.openat], [4, folder], [5, folderPath], [6, path]);
const exec = (pid: number, path: string, argv: readonly string[], errno = 0): boolean =>
  take(types.exec, context(pid), ended(errno), [3, calls.execve], [6, path], ...argv.map((item): Field => [7, item]));
const connect = (pid: number, socket: number, errno?: number, address = loopback): boolean =>
  take(
    types.connect,
    context(pid),
    ...(errno === undefined ? [] : [ended(errno)]),
    [3, calls.connect],
    [4, socket],
    [6, address],
  );
const start = (): boolean => take(types.containerStart, context(1), [2, 'id'], [3, '/work'], [4, '/bin/sh'], [4, '-c']);
const fork = (creator: number, pid: number, flags = 0): boolean =>
  take(types.clone, context(creator), [3, pid], [4, pid], [6, flags]);

const briefly = (): unknown[] =>
  seen.map(({ kind, process, fields, outcome }) => [kind, process?.pid, fields, outcome]);

beforeEach(() => {
  translator = startTranslator();
});

describe('Translator', () => {
  it('begins with the program that the sandbox was made for', () => {
    start();
    expect(translator.isFromStart).toBe(true);
    expect(seen[0]).toEqual({
      at: { monotonicNs: '1001000000', wall: '2027-01-15T08:00:00.001Z' },
      process: { pid: 1, parent: 0, name: { text: 'sh' } },
      kind: 'exec',
      fields: { path: { text: '/bin/sh' }, argv: [{ text: '/bin/sh' }, { text: '-c' }], cwd: { text: '/work' } },
      outcome: 'ok',
    });
  });

  it('tells nothing of an airlock before its heart beats', () => {
    take(types.containerStart, context(1), [2, 'id'], [3, '/'], [4, '/usr/bin/perl'], [4, '/run/airlock']);
    open(1, '/etc/shadow', 2);
    open(1, `/hotcell-heartbeat-${'a'.repeat(32)}-0`, 2);
    open(1, '/dev/null');
    expect(seen.map(({ kind }) => kind)).toEqual(['heartbeat', 'open']);
  });

  it('numbers the processes of another sandbox differently', () => {
    translator = startTranslator(2);
    start();
    fork(1, 2);
    expect(seen.map(({ process }) => [process?.pid, process?.parent])).toEqual([
      [131_073, 0],
      [131_074, 131_073],
    ]);
  });

  it('says when it was not there from the start', () => {
    open(1, '/a');
    start();
    expect(translator.isFromStart).toBe(false);
  });

  it('follows a process from its parent to its end', () => {
    start();
    fork(1, 2);
    exec(2, '/usr/bin/env', ['env', 'x']);
    fork(2, 3, 0x8000);
    take(types.taskExit, context(3), [2, 768]);
    take(types.exitNotifyParent, context(3), [2, 768]);
    take(types.exitNotifyParent, context(2), [2, 9]);
    expect(seen.slice(1).map(({ kind, process, fields }) => [kind, process, fields])).toEqual([
      ['fork', { pid: 2, parent: 1, name: { text: 'sh' } }, {}],
      [
        'exec',
        { pid: 2, parent: 1, name: { text: 'env' } },
        expect.objectContaining({ path: { text: '/usr/bin/env' } }),
      ],
      ['fork', { pid: 3, parent: 1, name: { text: 'env' } }, {}],
      ['exit', { pid: 3, parent: 1, name: { text: 'env' } }, { code: 3 }],
      ['exit', { pid: 2, parent: 1, name: { text: 'env' } }, { signal: 9 }],
    ]);
  });

  it('takes a new thread for no process', () => {
    start();
    take(types.clone, context(1), [3, 5], [4, 1]);
    expect(seen).toHaveLength(1);
  });

  it('tells the end of the first process, which notifies nobody, when the sandbox ends', () => {
    start();
    take(types.taskExit, context(1, 7), [2, 0]);
    take(types.taskExit, context(1), [2, 512]);
    expect(seen).toHaveLength(1);
    translator.end();
    translator.end();
    expect(briefly().slice(1)).toEqual([['exit', 1, { code: 2 }, undefined]]);
  });

  it.each([
    ['an absolute path', '/etc/passwd', -100, '', '/etc/passwd'],
    ['a path from the current folder', 'a,"b"\n', -100, '', '/work/a,"b"\n'],
    ['a path from an open folder', 'c', 5, '/srv', '/srv/c'],
    ['a path from a folder that is not known', 'c', 5, '[err: FD not found]', 'c'],
    ['no path', '', -100, '', ''],
  ])('tells an open of %s once', (_, path, folder, folderPath, expected) => {
    start();
    enter(1, calls.openat, [[7, 0o1101]]);
    open(1, path, 13, folder, folderPath);
    expect(briefly().slice(1)).toEqual([
      [
        'open',
        1,
        { path: { text: expected }, access: 'read', creates: false, truncates: false, isFolder: false },
        'denied',
      ],
    ]);
  });

  it('tells an open whose path gVisor could not send, before what the thread does next', () => {
    start();
    enter(1, calls.openat, [[7, 0o1101]]);
    enter(1, calls.openat, [], 8);
    open(1, '/by-another-thread', 0, -100, '', 8);
    enter(1, calls.openat);
    open(1, '/next');
    expect(
      seen.slice(1).map(({ fields, outcome, truncated }) => [fields.path, fields.access, outcome, truncated]),
    ).toEqual([
      [{ text: '/by-another-thread' }, 'read', 'ok', undefined],
      [undefined, 'write', 'unknown', ['path']],
      [{ text: '/next' }, 'read', 'ok', undefined],
    ]);
  });

  it.each([
    [0, 'ok', ''],
    [2, 'failed', 'sh'],
  ])('tells an exec without its program when that cannot be sent (errno %i)', (errno, outcome, name) => {
    start();
    enter(1, calls.execve);
    leave(1, calls.execve, errno);
    open(1, '/next');
    expect(seen[1]).toMatchObject({
      kind: 'exec',
      fields: {},
      outcome,
      truncated: ['path', 'argv'],
      process: { name: { text: name } },
    });
  });

  it('tells an exec that fails, and one that does not, once', () => {
    start();
    for (const errno of [2, 0]) {
      enter(1, calls.execve);
      leave(1, calls.execve, errno);
      exec(1, 'tool', ['tool'], errno);
    }
    const fields = { path: { text: '/work/tool' }, argv: [{ text: 'tool' }], cwd: { text: '/work' } };
    expect(briefly().slice(1)).toEqual([
      ['exec', 1, fields, 'failed'],
      ['exec', 1, fields, 'ok'],
    ]);
  });

  it('takes the program of an exec by file descriptor from there', () => {
    start();
    take(types.exec, context(1), ended(), [3, calls.execveat], [4, 4], [5, '/memfd:x (deleted)'], [9, 0x1000]);
    expect(seen[1]?.fields.path).toEqual({ text: '/memfd:x (deleted)' });
  });

  it('follows a process into its folders, and knows when it cannot', () => {
    start();
    const changeFolder = (number: number, ...fields: readonly Field[]): boolean =>
      take(types.changeFolder, context(1), [3, number], ...fields);
    const folders = (): unknown => {
      open(1, 'x');
      return seen.at(-1)?.fields.path;
    };
    changeFolder(calls.chdir, ended(), [6, 'sub']);
    expect(folders()).toEqual({ text: '/work/sub/x' });
    changeFolder(calls.chdir, ended(2), [6, '/nowhere']);
    expect(folders()).toEqual({ text: '/work/sub/x' });
    changeFolder(calls.fchdir, ended(), [5, '/srv']);
    expect(folders()).toEqual({ text: '/srv/x' });
    enter(1, calls.chdir);
    expect(folders()).toEqual({ text: 'x' });
  });

  it.each([
    [0, 'ok'],
    [1, 'denied'],
    [30, 'failed'],
  ])('tells a call by number with its outcome (errno %i)', (errno, outcome) => {
    start();
    enter(1, calls.unlink);
    leave(1, calls.unlink, errno);
    expect(briefly().slice(1)).toEqual([['unlink', 1, { isFolder: false }, outcome]]);
  });

  it('passes over what is only sometimes of interest', () => {
    start();
    for (const args of [[5, 0x11] as const, [5, 0x10000011] as const]) {
      enter(1, calls.clone, [args]);
      leave(1, calls.clone);
    }
    for (const address of [0, 0x7fff_0000_0000]) {
      enter(1, calls.sendto, [[9, address]]);
      leave(1, calls.sendto);
    }
    expect(briefly().slice(1)).toEqual([
      ['kernel', 1, { call: 'clone', flags: 0x10000011 }, 'ok'],
      ['send-to', 1, {}, 'ok'],
    ]);
  });

  it('tells a connect when it ends', () => {
    start();
    connect(1, 3);
    expect(seen).toHaveLength(1);
    connect(1, 3, 111);
    expect(briefly().slice(1)).toEqual([['connect', 1, { family: 'ipv4', address: '127.0.0.1', port: 6 }, 'failed']]);
  });

  it('tells a connect that hangs, and not again when it ends', () => {
    start();
    connect(1, 3);
    translator.rest();
    expect(seen).toHaveLength(1);
    now += 300_000_000n;
    translator.rest();
    translator.rest();
    connect(1, 3, 110);
    expect(briefly().slice(1)).toEqual([['connect', 1, expect.anything(), 'unknown']]);
  });

  it('tells a connect that never ended', () => {
    start();
    connect(1, 3);
    take(types.taskExit, context(1), [2, 9]);
    expect(briefly().slice(1)).toEqual([['connect', 1, expect.anything(), 'unknown']]);
  });

  it('recognises a heartbeat', () => {
    const nonce = 'f'.repeat(32);
    start();
    for (const socket of [-1, 3]) {
      enter(1, calls.openat);
      open(1, `/hotcell-heartbeat-${nonce}-5`, 2);
      connect(1, socket);
      connect(1, socket, 9);
    }
    const half = (of: string): unknown[] => ['heartbeat', 1, { nonce, number: 5, of }, 'failed'];
    expect(briefly().slice(1)).toEqual([
      half('open'),
      half('connect'),
      half('open'),
      // On a socket that is there it is a connect like any other.
      ['connect', 1, expect.anything(), 'failed'],
    ]);
    expect(translator.heartbeats).toBe(1);
  });

  it('tells who wants to be somebody else', () => {
    start();
    take(types.setId, context(1), ended(1), [3, 105], [4, 0]);
    take(types.setThreeIds, context(1), ended(), [3, 117], [4, 0xffffffff], [5, 1000], [6, 0xffffffff]);
    take(types.bind, context(1), ended(), [3, 49], [6, loopback]);
    expect(briefly().slice(1)).toEqual([
      ['set-user', 1, { call: 'setuid', ids: [0] }, 'denied'],
      ['set-user', 1, { call: 'setresuid', ids: [-1, 1000, -1] }, 'ok'],
      ['bind', 1, { family: 'ipv4', address: '127.0.0.1', port: 6 }, 'ok'],
    ]);
  });

  it('gives times that never go back within a process', () => {
    start();
    const times = [5_000_000n, 3_000_000n, 9_000_000n, -(2n ** 63n), 2n ** 62n];
    now += 20_000_000n;
    for (const time of times)
      take(
        types.open,
        [
          1,
          [
            [1, wallStart + time],
            [2, 1],
            [4, 1],
          ],
        ],
        ended(),
        [6, '/a'],
      );
    const told = seen.map(({ at }) => Number(at.monotonicNs) - 1_000_000_000);
    expect(told).toEqual([1_000_000, 5_000_000, 5_000_000, 9_000_000, 9_000_000, 21_000_000]);
  });

  it.each([
    ['a message that is cut off', types.open, Uint8Array.of(0x0a, 9)],
    ['no context', types.open, encode([[6, '/a']])],
    [
      'an empty context',
      types.open,
      encode([
        [1, []],
        [6, '/a'],
      ]),
    ],
    [
      'a process that cannot be',
      types.open,
      encode([
        [
          1,
          [
            [4, 5_000_000],
            [2, 1],
          ],
        ],
      ]),
    ],
    [
      'a thread that cannot be',
      types.open,
      encode([
        [
          1,
          [
            [4, 1],
            [2, -1],
          ],
        ],
      ]),
    ],
  ])('refuses %s', (_, type, bytes) => {
    expect(translator.take(type, bytes)).toBe(false);
    expect(seen).toEqual([]);
  });

  it('passes over a type that it does not know', () => {
    expect(translator.take(999, Uint8Array.of(1, 2, 3))).toBe(true);
  });

  it('gives events that the log takes, for any messages', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const pid = fc.integer({ min: 0, max: 6 });
    const value = fc.oneof(integer, fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...Object.values(calls)));
    const field = fc.tuple(fc.integer({ min: 3, max: 10 }), value);
    const message = fc.record({
      type: fc.constantFrom(...Object.values(types)),
      ids: fc.tuple(integer, pid, pid),
      exit: fc.option(integer),
      fields: fc.array(field, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
        translator = startTranslator();
        for (const { type, ids, exit, fields } of messages) {
          const [time, process, thread] = ids;
          const head: Field[] = [
            [
              1,
              [
                [1, time],
                [2, thread],
                [4, process],
              ],
            ],
            ...(exit === null ? [] : [[2, [[2, exit]]] as const]),
          ];
          take(type, ...head, ...fields);
        }
        translator.end();
        for (const [seq, sighting] of seen.entries())
          eventSchema.parse({ seq, run: 'run', phase: 'use', source: 'gvisor-trace', ...sighting });
      }),
      { numRuns: 300 },
    );
  });
});
