import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../base/policy-schema.ts';
import { guards } from '../syscalls/guards.ts';
import { knownSyscallNames } from '../syscalls/names.ts';
import { highestSyscall, syscallNumbers } from '../syscalls/numbers.ts';
import { tierPolicy } from '../tiers.ts';
import type { FilterOptions } from './denials.ts';
import { compileSeccomp } from './seccomp.ts';

type Architecture = FilterOptions['architecture'];
interface Call {
  readonly architecture: number;
  readonly number: number;
  readonly args: readonly bigint[];
}

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const low32 = (value: bigint): number => Number(BigInt.asUintN(32, value));

/** `struct seccomp_data`, as the kernel lays it out. */
function dataOf({ architecture, number, args }: Call): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, number >>> 0, true);
  view.setUint32(4, architecture, true);
  for (const [at, value] of args.entries()) view.setBigUint64(16 + at * 8, BigInt.asUintN(64, value), true);
  return view;
}

/** What the kernel does with a filter: classic BPF, with its rules about jumps. */
function run(program: Uint8Array, call: Call): { action: number; steps: number } {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const data = dataOf(call);
  let accumulator = 0;
  let at = 0;
  for (let steps = 1; steps <= 4096; steps += 1) {
    const [operation, constant] = [code.getUint16(at * 8, true), code.getUint32(at * 8 + 4, true)];
    const branch = (isTrue: boolean): number => at + 1 + code.getUint8(at * 8 + (isTrue ? 2 : 3));
    switch (operation) {
      case 0x06:
        return { action: constant, steps };
      case 0x20:
        accumulator = data.getUint32(constant, true);
        at += 1;
        break;
      case 0x54:
        accumulator = (accumulator & constant) >>> 0;
        at += 1;
        break;
      case 0x05:
        at += 1 + constant;
        break;
      case 0x15:
        at = branch(accumulator === constant);
        break;
      case 0x25:
        at = branch(accumulator > constant);
        break;
      case 0x35:
        at = branch(accumulator >= constant);
        break;
      default:
        throw new Error(`no such instruction: ${operation}`);
    }
  }
  throw new Error('the program does not end');
}

const allow = 0x7fff0000;
const kill = 0x80000000;
const eperm = 0x00050001;
const enosys = 0x00050026;

function filterOf(policy: Policy, options: Partial<FilterOptions> = {}) {
  return compileSeccomp(policy, { architecture: 'x64', hasNetworkNamespace: true, ...options }).value;
}

function denying(...names: string[]): Policy {
  return { ...tierPolicy('LOW'), syscalls: { deny: names.map((name) => ({ name })) } };
}

function ask(
  policy: Policy,
  name: string,
  args: readonly (number | bigint)[] = [],
  options: Partial<FilterOptions> = {},
): number {
  const architecture = options.architecture ?? 'x64';
  const number = syscallNumbers.get(name)?.[architecture] ?? -1;
  const given = [...args, 0, 0, 0, 0, 0, 0].slice(0, 6).map(BigInt);
  return run(filterOf(policy, options).program, { architecture: audit[architecture], number, args: given }).action;
}

describe('the filter of LOW', () => {
  const low = tierPolicy('LOW');
  const [newUser, newNet] = [0x10000000, 0x40000000];
  const calls: [string, readonly (number | bigint)[], number][] = [
    ['read', [], allow],
    ['execve', [], allow],
    ['bpf', [], eperm],
    ['io_uring_setup', [], eperm],
    ['ptrace', [], eperm],
    ['mount', [], eperm],
    ['unshare', [], eperm],
    ['clone3', [], enosys],
    ['memfd_create', [], eperm],
    ['clone', [0x3d0f00], allow],
    ['clone', [newUser], eperm],
    ['clone', [newNet | 17], eperm],
    ['clone', [0x20000], eperm],
    // The kernel looks at the lower half alone.
    ['clone', [0xffffffff00000000n], allow],
    ['clone', [0x1_1000_0000n], eperm],
    ['ioctl', [0, 0x5412], eperm],
    ['ioctl', [0, 0x7_0000_5412n], eperm],
    ['ioctl', [0, 0x541c], eperm],
    ['ioctl', [0, 0x5413], allow],
    ['socket', [1, 1, 0], allow],
    ['socket', [2, 1, 0], allow],
    ['socket', [2, 0x80801, 6], allow],
    ['socket', [10, 2, 17], allow],
    ['socket', [2, 3, 1], eperm],
    ['socket', [2, 0x80803, 1], eperm],
    ['socket', [10, 3, 58], eperm],
    ['socket', [2, 10, 0x300], eperm],
    ['socket', [17, 3, 0x300], eperm],
    ['socket', [0x1_0000_0011n, 3, 0], eperm],
    ['socket', [16, 3, 0], allow],
    ['socket', [16, 3, 9], eperm],
    ['socket', [16, 3, 12], eperm],
    ['socket', [38, 5, 0], eperm],
    ['socket', [40, 1, 0], eperm],
    ['socket', [29, 3, 1], eperm],
    ['socket', [31, 3, 1], eperm],
    ['socket', [41, 2, 0], eperm],
    ['socket', [44, 3, 0], eperm],
    ['socket', [0xffffffffn, 1, 0], eperm],
  ];
  it.each(
    calls.map(([name, args, answer]) => [`${name}(${args.join(', ')})`, name, args.map(BigInt), answer] as const),
  )('%s', (_title, name, args, expected) => {
    expect(ask(low, name, args)).toBe(expected);
    expect(ask(low, name, args, { architecture: 'arm64' })).toBe(expected);
  });

  it('ends a process that calls in through another interface', () => {
    const args = Array.from({ length: 6 }, () => 0n);
    const { program } = filterOf(low);
    expect(run(program, { architecture: 0x40000003, number: 1, args }).action).toBe(kill);
    expect(run(program, { architecture: audit.arm64, number: 1, args }).action).toBe(kill);
    expect(run(program, { architecture: audit.x64, number: 0x40000000 + 321, args }).action).toBe(kill);
    expect(run(program, { architecture: audit.x64, number: -1, args }).action).toBe(enosys);
  });

  it('answers "no such call" to calls that are newer than its table', () => {
    const args = Array.from({ length: 6 }, () => 0n);
    for (const number of [highestSyscall + 1, 1000, 0x3fffffff]) {
      expect(run(filterOf(low).program, { architecture: audit.x64, number, args }).action).toBe(enosys);
    }
  });

  it('takes about a dozen steps for any call without a guard', () => {
    const args = Array.from({ length: 6 }, () => 0n);
    const { program } = filterOf(low);
    const guarded = new Set([56, 16, 41]);
    for (let number = 0; number <= highestSyscall; number += 1) {
      const { steps } = run(program, { architecture: audit.x64, number, args });
      if (!guarded.has(number)) expect(steps).toBeLessThanOrEqual(18);
    }
  });
});

describe('a box that shares the network of the host', () => {
  const shared = { hasNetworkNamespace: false, landlockAbi: 7 } as const;
  const ports: Policy = { ...tierPolicy('LOW'), network: { mode: 'allowlist', rules: [{ host: '*', port: 443 }] } };
  it.each<[string, Policy, readonly number[], number]>([
    ['no network: TCP', tierPolicy('LOW'), [2, 1, 0], eperm],
    ['no network: a socket with a path', tierPolicy('LOW'), [1, 1, 0], eperm],
    ['no network: netlink', tierPolicy('LOW'), [16, 3, 0], eperm],
    ['ports: TCP', ports, [2, 1, 6], allow],
    ['ports: TCP over IPv6', ports, [10, 0x80801, 0], allow],
    ['ports: UDP', ports, [2, 2, 0], eperm],
    ['ports: UDP over IPv6', ports, [10, 0x80802, 17], eperm],
    ['ports: MPTCP', ports, [2, 1, 262], eperm],
    ['ports: SCTP', ports, [2, 1, 132], eperm],
    ['ports: SCTP as packets', ports, [2, 5, 132], eperm],
    ['ports: ICMP', ports, [2, 2, 1], eperm],
    ['ports: a socket with a path', ports, [1, 1, 0], eperm],
    ['unrestricted: UDP', tierPolicy('CRITICAL'), [2, 2, 0], allow],
    ['unrestricted: a socket with a path', tierPolicy('CRITICAL'), [1, 1, 0], eperm],
  ])('%s', (_name, policy, args, expected) => {
    expect(ask(policy, 'socket', args, shared)).toBe(expected);
  });

  it('has no sockets at all where Landlock cannot limit ports', () => {
    expect(ask(ports, 'socket', [2, 1, 6], { hasNetworkNamespace: false, landlockAbi: 3 })).toBe(eperm);
    expect(ask(ports, 'socket', [2, 1, 6], { hasNetworkNamespace: false })).toBe(eperm);
  });

  it('keeps pairs of sockets, which every runtime uses for its children', () => {
    expect(ask(tierPolicy('LOW'), 'socketpair', [1, 1, 0], shared)).toBe(allow);
  });
});

/** The rule table read a second time, without any filter. */
function expected(names: readonly string[], architecture: Architecture, call: Call): number {
  if (call.architecture !== audit[architecture]) return kill;
  const number = call.number >>> 0;
  if (architecture === 'x64' && number >= 0x40000000 && number !== 0xffffffff) return kill;
  if (number > highestSyscall) return enosys;
  const name = Array.from(syscallNumbers).find(([, numbers]) => numbers[architecture] === number)?.[0];
  if (name === undefined) return allow;
  if (name === 'clone3') return names.includes('clone3') || names.includes('clone(namespaces)') ? enosys : allow;
  if (names.includes(name)) return eperm;
  const isGuarded = names.some((each) => {
    const guard = guards.get(each);
    return (
      guard?.call === name &&
      guard.alternatives.some((conditions) =>
        conditions.every(({ argument, is, mask, value }) => {
          const given = (low32(call.args[argument] ?? 0n) & mask) >>> 0;
          if (is === 'above') return given > value;
          return is === 'equal' ? given === value : given !== value;
        }),
      )
    );
  });
  return isGuarded ? eperm : allow;
}

describe('any deny list', () => {
  const names = fc.uniqueArray(fc.constantFrom(...knownSyscallNames()), { maxLength: 400 });
  const word = fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    fc.bigInt({ min: 0n, max: 300n }),
    fc.constantFrom(0x5412n, 0x541cn, 0x10000000n, 0x80803n),
  );
  const number = fc.oneof(
    fc.integer({ min: 0, max: highestSyscall + 3 }),
    fc.constantFrom(16, 41, 56, 29, 198, 220),
    fc.integer(),
  );
  const architecture = fc.constantFrom('x64' as const, 'arm64' as const);

  it('becomes a program that says what the table says, for any call', () => {
    fc.assert(
      fc.property(
        names,
        architecture,
        fc.array(fc.tuple(number, fc.array(word, { minLength: 6, maxLength: 6 })), { minLength: 20, maxLength: 20 }),
        (list, machine, calls) => {
          const { program, instructions } = filterOf(denying(...list), { architecture: machine });
          expect(program.length).toBe(instructions * 8);
          expect(instructions).toBeLessThanOrEqual(4096);
          for (const [each, args] of calls) {
            const call = { architecture: audit[machine], number: each, args };
            expect(run(program, call).action).toBe(expected(list, machine, call));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has only jumps that stay inside the program, with every name denied too', () => {
    for (const machine of ['x64', 'arm64'] as const) {
      for (const list of [
        [],
        knownSyscallNames(),
        Array.from(guards.keys()),
        knownSyscallNames().filter((_, at) => at % 2 === 0),
      ]) {
        const { program, instructions } = filterOf(denying(...list), { architecture: machine });
        const view = new DataView(program.buffer);
        for (let at = 0; at < instructions; at += 1) {
          const operation = view.getUint16(at * 8, true);
          const targets =
            operation === 0x05
              ? [view.getUint32(at * 8 + 4, true)]
              : [view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
          if (operation !== 0x06) expect(Math.max(...targets) + at + 1).toBeLessThan(instructions);
        }
        expect(view.getUint16((instructions - 1) * 8, true)).toBe(0x06);
      }
    }
  });
});

describe('the form for OCI runtimes', () => {
  it('names only calls that the architecture has, and answers as the program does', () => {
    const { oci } = filterOf(tierPolicy('LOW'), { architecture: 'arm64' });
    expect(oci.architectures).toEqual(['SCMP_ARCH_AARCH64']);
    const named = oci.syscalls.flatMap(({ names: list }) => list);
    expect(named.filter((name) => syscallNumbers.get(name)?.arm64 == null)).toEqual([]);
    expect(named).not.toContain('iopl');
    expect(oci.syscalls.find(({ names: list }) => list.includes('clone3'))?.errnoRet).toBe(38);
    expect(oci.syscalls.find(({ names: list }) => list.includes('bpf'))?.errnoRet).toBe(1);
  });

  it('writes a masked comparison with the mask first', () => {
    const { oci } = filterOf(denying('ioctl(tiocsti)'));
    expect(oci.syscalls).toEqual([
      {
        names: ['ioctl'],
        action: 'SCMP_ACT_ERRNO',
        errnoRet: 1,
        args: [{ index: 1, value: 0xffffffff, valueTwo: 0x5412, op: 'SCMP_CMP_MASKED_EQ' }],
      },
    ]);
  });
});
