/**
 * Guarded calls: a call that is needed, refused only with certain arguments. Written `call(guard)` in a policy.
 *
 * A guard is a list of alternatives; each alternative holds when all its conditions hold. Every argument that is looked
 * at here is an int in the kernel, which drops the upper 32 bits, so conditions look at the lower 32 bits alone:
 * a caller cannot get past them by setting upper bits. No alternative looks twice at one argument, because the OCI form
 * would read that as "or".
 */

export interface Condition {
  readonly argument: 0 | 1 | 2 | 3 | 4 | 5;
  /** `equal` and `different` compare the masked value; `above` compares the whole lower half. */
  readonly is: 'equal' | 'different' | 'above';
  readonly mask: number;
  readonly value: number;
}

export interface Guard {
  readonly call: string;
  readonly alternatives: readonly (readonly Condition[])[];
  /** Calls that do the same with arguments that a filter cannot see; refused as a whole. */
  readonly also?: readonly string[];
}

const allBits = 0xffff_ffff;
const equal = (argument: Condition['argument'], value: number, mask = allBits): Condition => ({
  argument,
  is: 'equal',
  mask,
  value,
});
const above = (argument: Condition['argument'], value: number): Condition => ({
  argument,
  is: 'above',
  mask: allBits,
  value,
});

const different = (argument: Condition['argument'], value: number): Condition => ({
  argument,
  is: 'different',
  mask: allBits,
  value,
});

export const socketFamilies = { unix: 1, inet: 2, inet6: 10, netlink: 16, packet: 17, alg: 38, vsock: 40 } as const;
export const socketTypes = { stream: 1, datagram: 2, raw: 3, rdm: 4, seqpacket: 5, dccp: 6, packet: 10 } as const;
/** The rest of the type argument are flags such as SOCK_CLOEXEC. */
const typeMask = 0xf;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const namespaceFlags = [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];

const ipFamilies = [socketFamilies.inet, socketFamilies.inet6];
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Everything but UNIX, INET, INET6, NETLINK and the families that have a guard of their own. */
const exoticFamilies = [...range(3, 9), ...range(11, 15), ...range(18, 37), 39];

/** Internet sockets that are not TCP: neither their type nor their protocol. */
const notTcp = ipFamilies.flatMap((family) => [
  ...[
    socketTypes.datagram,
    socketTypes.raw,
    socketTypes.rdm,
    socketTypes.seqpacket,
    socketTypes.dccp,
    socketTypes.packet,
  ].map((type) => [equal(0, family), equal(1, type, typeMask)]),
  ...range(1, 5).map((protocol) => [equal(0, family), equal(2, protocol)]),
  [equal(0, family), above(2, 6)],
]);

export const guards: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  [
    'clone(namespaces)',
    { call: 'clone', alternatives: namespaceFlags.map((flag) => [equal(0, flag, flag)]), also: ['clone3'] },
  ],
  ['ioctl(tiocsti)', { call: 'ioctl', alternatives: [[equal(1, 0x5412)]] }],
  ['ioctl(tioclinux)', { call: 'ioctl', alternatives: [[equal(1, 0x541c)]] }],
  [
    'socket(raw)',
    {
      call: 'socket',
      // Netlink sockets are raw by habit and are not meant here.
      alternatives: ipFamilies.flatMap((family) =>
        [socketTypes.raw, socketTypes.packet].map((type) => [equal(0, family), equal(1, type, typeMask)]),
      ),
    },
  ],
  ['socket(packet)', { call: 'socket', alternatives: [[equal(0, socketFamilies.packet)]] }],
  ['socket(vsock)', { call: 'socket', alternatives: [[equal(0, socketFamilies.vsock)]] }],
  ['socket(alg)', { call: 'socket', alternatives: [[equal(0, socketFamilies.alg)]] }],
  [
    'socket(netlink-other)',
    {
      call: 'socket',
      alternatives: [[equal(0, socketFamilies.netlink), different(2, 0)]],
    },
  ],
  [
    'socket(exotic)',
    { call: 'socket', alternatives: [...exoticFamilies.map((family) => [equal(0, family)]), [above(0, 40)]] },
  ],
  ['socket(unix)', { call: 'socket', alternatives: [[equal(0, socketFamilies.unix)]] }],
  ['socket(not-tcp)', { call: 'socket', alternatives: notTcp }],
  // Zero is the caller itself.
  ['prlimit64(other)', { call: 'prlimit64', alternatives: [[different(0, 0)]] }],
  ['setpriority(other)', { call: 'setpriority', alternatives: [[different(1, 0)]] }],
]);
