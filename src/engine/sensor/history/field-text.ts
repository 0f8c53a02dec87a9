import { forTerminal, type UntrustedText, untrusted } from '../../../base/untrusted.ts';

/**
 * Fields of events, read leniently: a log may come from another version, another sensor or another hand. What is not
 * there or has another shape is null, never an error.
 */

const plain = /^[\x20-\x7e]*$/;
/** Nobody reads more of one field on a line; the whole is in the log. */
const capBytes = 8192;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function withDropped(text: UntrustedText, dropped: unknown): UntrustedText {
  return typeof dropped === 'number' && dropped > 0 ? { ...text, droppedBytes: text.droppedBytes + dropped } : text;
}

/** The bytes of a field that holds text: as a plain string, or as `{text}` or `{base64}`. */
export function bytesOf(value: unknown): UntrustedText | null {
  if (typeof value === 'string') return untrusted(value, capBytes);
  if (!isRecord(value)) return null;
  const { text, base64, droppedBytes } = value;
  if (typeof text === 'string') return withDropped(untrusted(text, capBytes), droppedBytes);
  if (typeof base64 === 'string') return withDropped(untrusted(Buffer.from(base64, 'base64'), capBytes), droppedBytes);
  return null;
}

/** The text of a field, safe for a terminal: on one line, with everything spelled out that cannot be seen. */
export function textOf(value: unknown): string | null {
  const direct = typeof value === 'string' ? value : isRecord(value) ? value.text : null;
  // Nearly every field is short and plain: a log of a million of them should not wait for the long way.
  const isWhole = typeof value === 'string' || (isRecord(value) && value.droppedBytes === undefined);
  if (typeof direct === 'string' && isWhole && direct.length <= capBytes && plain.test(direct)) return direct;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const bytes = bytesOf(value);
  return bytes === null ? null : forTerminal(bytes);
}

/** The first of several names for the same thing that is there. */
export function firstText(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textOf(fields[key]);
    if (text !== null && text !== '') return text;
  }
  return null;
}
