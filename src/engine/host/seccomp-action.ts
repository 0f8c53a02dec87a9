import { callSystem } from '../../base/ffi.ts';

const getActionAvailable = 2;

/** What a filter may end in. */
export const seccompActions = { refuseWithErrno: 0x0005_0000, notifySupervisor: 0x7fc0_0000 } as const;

/** Asks the kernel itself whether a filter may end in this action. */
export function hasSeccompAction(action: number): boolean {
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32LE(action);
  return callSystem('seccomp', getActionAvailable, 0, wanted).value === 0;
}
