import { closeSync, constants, openSync } from 'node:fs';
import { HostError } from '../../base/errors.ts';
import { callSystem } from '../../base/ffi.ts';
import type { LandlockRuleset } from '../policy/index.ts';

/** Turns compiled Landlock rules into a ruleset of the kernel. The caller owns the file descriptor. */

const pathOnly = 0o10000000; // O_PATH
const ruleTypes = { path: 1, port: 2 } as const;

function words(...values: readonly bigint[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => {
    buffer.writeBigUInt64LE(value, index * 8);
  });
  return buffer;
}

/** The structure grew with the ABI: the kernel refuses a longer one than it knows unless the rest is zero. */
function rulesetSize(abi: number): number {
  return abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
}

export function makeRuleset(rules: LandlockRuleset): number {
  const attributes = words(rules.handledFs, rules.handledNet, rules.scoped);
  const made = callSystem('landlock_create_ruleset', attributes, rulesetSize(rules.abi), 0);
  if (made.errno !== 0) throw new HostError(`cannot make a landlock ruleset: error ${made.errno}`);
  try {
    for (const { path, access } of rules.paths) addPath(made.value, path, access);
    for (const { port, access } of rules.ports) {
      const { errno } = callSystem('landlock_add_rule', made.value, ruleTypes.port, words(access, BigInt(port)), 0);
      if (errno !== 0) throw new HostError(`cannot add port ${port} to the landlock ruleset: error ${errno}`);
    }
  } catch (error) {
    closeSync(made.value);
    throw error;
  }
  return made.value;
}

/**
 *     struct landlock_path_beneath_attr { u64 allowed_access; s32 parent_fd; } packed
 */
function addPath(ruleset: number, path: string, access: bigint): void {
  const file = openIfThere(path);
  // What is not there needs no permission.
  if (file === null) return;
  try {
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(access, 0);
    rule.writeInt32LE(file, 8);
    const { errno } = callSystem('landlock_add_rule', ruleset, ruleTypes.path, rule, 0);
    if (errno !== 0) throw new HostError(`cannot add ${path} to the landlock ruleset: error ${errno}`);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, pathOnly | constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
