import { asStrings } from '../../base/json-shape.ts';

/** Whether a package says that it is for this machine: `os`, `cpu` and `libc` of its manifest. */

/** A list allows what it names, or everything but what it names with `!`. */
function allows(list: unknown, here: string): boolean {
  const words = typeof list === 'string' ? [list] : asStrings(list);
  if (words.length === 0 || words.includes('any')) return true;
  if (words.includes(`!${here}`)) return false;
  return words.includes(here) || words.every((word) => word.startsWith('!'));
}

export function fitsPlatform(
  manifest: Readonly<Record<string, unknown>>,
  platform: string = process.platform,
  machine: string = process.arch,
): boolean {
  return allows(manifest.os, platform) && allows(manifest.cpu, machine) && allows(manifest.libc, 'glibc');
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'linuxmusl', 'netbsd', 'openbsd', 'sunos', 'win32'];
const otherSystems = ['openharmony', 'macos', 'windows', 'wasm32', 'wasi', 'musl'];
const machines = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * Programs for other machines are published under names such as `tool-darwin-arm64`, tens of megabytes each: told by the
 * name they need not be fetched. Asked only about packages that are optional.
 */
export function isNamedForOther(
  name: string,
  platform: string = process.platform,
  machine: string = process.arch,
): boolean {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const system = words.filter((word) => systems.includes(word) || otherSystems.includes(word));
  if (system.length === 0) return false;
  if (!system.includes(platform) || system.includes('musl')) return true;
  const named = words.filter((word) => machines.includes(word));
  return named.length > 0 && !named.includes(machine);
}
