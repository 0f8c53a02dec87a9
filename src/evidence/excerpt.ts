import type { UntrustedJson } from '../base/event-schema.ts';
import { type UntrustedText, untrusted } from '../base/untrusted.ts';

/** Back to bytes of a target, so that the only ways out are the safe ones. */
export function asUntrusted(value: UntrustedJson, capBytes?: number): UntrustedText {
  return untrusted('text' in value ? Buffer.from(value.text, 'utf8') : Buffer.from(value.base64, 'base64'), capBytes);
}
