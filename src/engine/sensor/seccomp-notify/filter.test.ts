import { describe, expect, it } from 'vitest';
import type { Architecture } from '../../../base/ffi.ts';
import { highestSyscall, syscallNumbers } from '../../policy/syscalls/numbers.ts';
import { endCall, watchedCalls } from './calls.ts';
import { compileNotifyFilter, notifyAction } from './filter.ts';

const allow = 0x7fff_0000;
const audit = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

/** What the kernel does with the few instructions that such a filter is made of. */
function ask(program: Uint8Array, architecture: number, number: number, args: readonly bigint[] = []): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number >>> 0, true);
  data.setUint32(4, architecture, true);
  for (const [at, value] of args.entries()) data.setBigUint64(16 + 8 * at, value, true);
  let accumulator = 0;
  for (let at = 0, steps = 0; steps < 4096; steps += 1) {
    const [operation, constant] = [code.getUint16(at * 8, true), code.getUint32(at * 8 + 4, true)];
    const branch = (isTrue: boolean): number => at + 1 + code.getUint8(at * 8 + (isTrue ? 2 : 3));
    if (operation === 0x06) return constant;
    if (operation === 0x20) accumulator = data.getUint32(constant, true);
    if (operation === 0x20) at += 1;
    else if (operation === 0x05) at += 1 + constant;
    else if (operation === 0x15) at = branch(accumulator === constant);
    else if (operation === 0x35) at = branch(accumulator >= constant);
    else throw new Error(`no such instruction: ${operation}`);
  }
  throw new Error('the program does not end');
}

describe.each<Architecture>(['x64', 'arm64'])('the filter for %s', (architecture) => {
  const program = compileNotifyFilter(architecture);
  const reported = new Set([...watchedCalls.keys(), endCall]);
  const numberOf = (name: string): number => syscallNumbers.get(name)?.[architecture] ?? -1;

  it('reports exactly the calls that are watched', () => {
    const destination = [0n, 0n, 0n, 0n, 1n, 0n];
    const wrong = [...syscallNumbers].filter(([name, { [architecture]: number }]) => {
      const expected = reported.has(name) ? notifyAction : allow;
      return number !== null && ask(program, audit[architecture], number, destination) !== expected;
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    [0n, allow],
    [1n, notifyAction],
    [0x7fff_0000_0000n, notifyAction],
    [0x7fff_1234_0000n, notifyAction],
  ])('looks at the destination %i of sendto', (destination, expected) => {
    const args = [0n, 0n, 0n, 0n, destination, 16n];
    expect(ask(program, audit[architecture], numberOf('sendto'), args)).toBe(expected);
  });

  it.each([highestSyscall + 1, 0x3fff_ffff, 0x4000_0000 + 2, 0x4000_0101, 0xffff_ffff])(
    'leaves number %i to the filter of the policy',
    (number) => {
      expect(ask(program, audit[architecture], number)).toBe(allow);
    },
  );

  it('leaves other architectures to the filter of the policy', () => {
    const others = [0x4000_0003, audit[architecture === 'x64' ? 'arm64' : 'x64']];
    for (const other of others) {
      for (const name of reported) expect(ask(program, other, Math.max(0, numberOf(name)))).toBe(allow);
    }
  });

  it('is no longer than the kernel takes', () => {
    expect(program.length / 8).toBeLessThan(4096);
  });
});

it('knows a number for every call on some architecture', () => {
  expect([...watchedCalls.keys()].filter((name) => !syscallNumbers.has(name))).toEqual([]);
});
