import type { UntrustedJson } from '../../base/event-schema.ts';
import { forJson, untrusted } from '../../base/untrusted.ts';
import { recordOf } from '../../engine/sensor/history/index.ts';

/** Bytes of a target on their way into a story: still bytes of a target, and never more than a picture has room for. */

function sizeOf(value: UntrustedJson): number {
  return 'text' in value ? value.text.length : value.base64.length;
}

/** Cut in the middle of a character it is no text any more; the character goes as a whole. */
function withoutHalf(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end > 0 && (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

export function shorten(value: UntrustedJson, capBytes: number): UntrustedJson {
  // Every character is at least one byte, and base64 is longer than what it stands for: short ones are the rule.
  if (sizeOf(value) * 3 <= capBytes) return value;
  const all = 'text' in value ? Buffer.from(value.text, 'utf8') : Buffer.from(value.base64, 'base64');
  if (all.length <= capBytes) return value;
  const cut = all.subarray(0, capBytes);
  const kept = 'text' in value ? withoutHalf(cut) : cut;
  return { ...forJson(untrusted(kept, capBytes)), droppedBytes: all.length - kept.length + (value.droppedBytes ?? 0) };
}

/** A field that holds bytes of a target, as a string or as an event keeps them; null when it holds none. */
export function untrustedOf(value: unknown, capBytes: number): UntrustedJson | null {
  if (typeof value === 'string') return shorten({ text: value }, capBytes);
  const { text, base64, droppedBytes } = recordOf(value);
  const dropped = typeof droppedBytes === 'number' && droppedBytes >= 1 ? { droppedBytes } : {};
  if (typeof text === 'string') return shorten({ text, ...dropped }, capBytes);
  return typeof base64 === 'string' ? shorten({ base64, ...dropped }, capBytes) : null;
}
