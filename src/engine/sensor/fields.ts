import type { Event, UntrustedJson } from '../../base/event-schema.ts';
import { hostArchitecture } from '../../base/ffi.ts';
import { forJson, untrusted } from '../../base/untrusted.ts';

/**
 * The fields of an event, by kind, the same from every sensor. What a sensor cannot know it leaves out.
 *
 *   fork       -                                       process is the new one, its parent the one that forked
 *   exec       path, argv, cwd?, environment?          process is what it has become
 *   exit       code | signal
 *   open       path, access, creates, truncates, isFolder
 *   unlink     path, isFolder
 *   rename     from, to
 *   link       from, to, isSymbolic                    `from` is what exists, `to` the new name
 *   chmod      path?, mode | uid, gid, call            also chown, and by file descriptor
 *   mkdir      path, mode
 *   connect, bind, send-to   family, address, port | path
 *   listen     backlog
 *   ptrace     call, request?, pid?                    also process_vm_readv and process_vm_writev
 *   memfd      name
 *   set-user   call, ids
 *   kernel     call                                    mount, unshare, setns, bpf, modules, io_uring, ...
 *   denied     call, and path or address where known   refused by the policy's filter, or by the kernel
 *   heartbeat  nonce, number, of: open | connect       made by the airlock
 */

export const caps = {
  path: 4096,
  argument: 128 * 1024,
  /** All arguments of one program together. */
  argv: 256 * 1024,
  arguments: 4096,
  name: 256,
} as const;

/** Bytes of a target as a field: text or base64, cut at the cap with the number of bytes that are missing. */
export function bytesField(bytes: Uint8Array, capBytes: number = caps.path, totalBytes = bytes.length): UntrustedJson {
  const text = untrusted(bytes, capBytes);
  const droppedBytes = totalBytes - text.bytes.length;
  return droppedBytes > 0 ? { ...forJson(text), droppedBytes } : forJson(text);
}

type Fields = Event['fields'];

const createFlag = 0o100;
const truncateFlag = 0o1000;
/** The two architectures have these two bits the other way round than the others. */
const folderFlag = { x64: 0o200000, arm64: 0o40000 } as const;
const pathFlag = 0o10000000;
const temporaryFlag = 0o20000000;
const accessNames = ['read', 'write', 'read-write', 'read-write'] as const;

export function openFields(path: UntrustedJson, flags: number): Fields {
  const isFolder = (flags & folderFlag[hostArchitecture()]) !== 0;
  const isTemporary = (flags & temporaryFlag) !== 0;
  return {
    path,
    access: (flags & pathFlag) === 0 ? (accessNames[flags & 3] ?? 'read') : 'none',
    creates: (flags & createFlag) !== 0 || isTemporary,
    truncates: (flags & truncateFlag) !== 0,
    isFolder: isFolder && !isTemporary,
  };
}

const families: Readonly<Record<number, string>> = {
  0: 'unspecified',
  1: 'unix',
  2: 'ipv4',
  10: 'ipv6',
  16: 'netlink',
  17: 'packet',
};

function ipv6Text(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16));
  // The shortest form is for people; the URL parser knows the rules.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** A `struct sockaddr` as the kernel gets it. Too short a one keeps its family and nothing else. */
export function addressFields(address: Uint8Array): Fields {
  const bytes = Buffer.from(address.buffer, address.byteOffset, address.length);
  if (bytes.length < 2) return { family: 'unspecified' };
  const number = bytes.readUInt16LE(0);
  const family = families[number] ?? `family-${number}`;
  if (family === 'ipv4' && bytes.length >= 8) {
    return { family, address: [...bytes.subarray(4, 8)].join('.'), port: bytes.readUInt16BE(2) };
  }
  if (family === 'ipv6' && bytes.length >= 24) {
    return { family, address: ipv6Text(bytes.subarray(8, 24)), port: bytes.readUInt16BE(2) };
  }
  if (family === 'unix') return { family, path: bytesField(unixPath(bytes.subarray(2)), 108) };
  return { family };
}

/** An abstract name begins with a NUL and may hold more of them; a file's name ends at the first. */
function unixPath(bytes: Buffer): Buffer {
  if (bytes[0] === 0) return bytes;
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
