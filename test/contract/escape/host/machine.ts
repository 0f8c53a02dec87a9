import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces, userInfo } from 'node:os';

/** Facts about this machine that attempts are told, or that would prove an escape when a target says them. */

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

const interfaces = (): ReturnType<typeof networkInterfaces>[string] & object =>
  Object.values(networkInterfaces()).flatMap((list) => list ?? []);

/** Addresses other than loopback; a link-local one with the number of its interface. */
export function ownAddresses(): { readonly four: readonly string[]; readonly six: readonly string[] } {
  const outside = interfaces().filter(({ internal }) => !internal);
  const six = outside.flatMap((entry) =>
    entry.family === 'IPv6' ? [entry.scopeid ? `${entry.address}%${entry.scopeid}` : entry.address] : [],
  );
  return { four: outside.filter(({ family }) => family === 'IPv4').map(({ address }) => address), six };
}

export function resolvers(): readonly string[] {
  return [...readText('/etc/resolv.conf').matchAll(/^nameserver\s+(\S+)/gm)]
    .map((match) => match[1] ?? '')
    .filter((address) => !address.startsWith('127.'));
}

/** The device that `/` is on. */
export function rootDisk(): { readonly path: string; readonly major: string; readonly minor: string } {
  const line =
    readText('/proc/self/mountinfo')
      .split('\n')
      .find((entry) => entry.split(' ')[4] === '/') ?? '';
  const [major = '0', minor = '0'] = (line.split(' ')[2] ?? '').split(':');
  const source = line.split(' - ')[1]?.split(' ')[1] ?? '';
  return { path: source.startsWith('/dev/') ? source : '', major, minor };
}

/** Bytes that only the host has. A target that shows them has read the host. */
export function hostBytes(): readonly Buffer[] {
  const hardware = interfaces()
    .filter(({ internal }) => !internal)
    .map(({ mac }) => Buffer.from(mac));
  return hardware.filter((mac) => mac.toString() !== '00:00:00:00:00:00');
}

/** Files of which a target may see one of its own at the same path: only the host's content counts. */
export function hostFiles(): readonly Buffer[] {
  return ['/etc/shadow', '/root/.bashrc', '/proc/1/environ', `/proc/${process.pid}/environ`]
    .map(readBytes)
    .filter(({ length }) => length > 0);
}

/** Words that name the host, its user, or where hotcell was started. */
export function hostWords(): readonly string[] {
  const { username, homedir } = userInfo();
  return [hostname(), username, homedir, process.cwd()];
}

/** Settings of the kernel that no attempt may change. */
const watched = [
  '/proc/sys/kernel/core_pattern',
  '/proc/sys/kernel/hostname',
  '/proc/sys/kernel/domainname',
  '/proc/sys/kernel/modprobe',
  '/proc/sys/kernel/panic',
  '/proc/sys/vm/overcommit_memory',
  '/proc/sys/net/ipv4/ip_forward',
  '/sys/kernel/uevent_helper',
  '/sys/class/net/lo/mtu',
  '/proc/swaps',
] as const;

export function readSettings(): ReadonlyMap<string, string> {
  return new Map(watched.map((path) => [path, readText(path)]));
}

export function mountLines(): readonly string[] {
  return readText('/proc/self/mountinfo').split('\n');
}
