import type { UntrustedJson } from '../../../base/event-schema.ts';
import { bytesField } from '../fields.ts';

/** Text of a target as bpftrace gives it: without the NUL at its end, and never longer than its room. */

/** `BPFTRACE_STRLEN`; two hundred is the most there is, because it lies on the stack of a program in the kernel. */
export const textRoomBytes = 200;

export interface TextField {
  readonly field: UntrustedJson;
  /** It fills the room, so there may have been more. How much is not known. */
  readonly isCut: boolean;
}

export function textField(bytes: Uint8Array): TextField {
  return { field: bytesField(bytes), isCut: bytes.length >= textRoomBytes - 1 };
}
