import { callSystem } from '../../base/ffi.ts';

const versionFlag = 1;

/** The Landlock ABI that this kernel offers to this process; 0 where it has none or has it switched off. */
export function findLandlockAbi(): number {
  const { value } = callSystem('landlock_create_ruleset', null, 0, versionFlag);
  return Math.max(0, value);
}
