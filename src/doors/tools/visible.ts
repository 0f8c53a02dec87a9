import { forTerminal, type UntrustedText, untrusted } from '../../base/untrusted.ts';

/**
 * Data with text of targets in it, for structured content: characters that cannot be seen are spelled out, long texts are
 * cut and say so, and what a target chose stands as `{ "untrusted": … }`.
 */

export type VisibleRecord = Record<string, unknown>;

const usualTextBytes = 2000;
const deepest = 32;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `{text}` or `{base64}`, as reports and events keep bytes of a target. */
function bytesIn(value: Readonly<Record<string, unknown>>, capBytes: number): UntrustedText | null {
  const { text, base64, droppedBytes, ...rest } = value;
  if (Object.keys(rest).length > 0) return null;
  const input = typeof text === 'string' ? text : typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null;
  if (input === null) return null;
  const kept = untrusted(input, capBytes);
  const before = typeof droppedBytes === 'number' ? droppedBytes : 0;
  return { ...kept, droppedBytes: kept.droppedBytes + before };
}

export function visibleText(text: string, capBytes = usualTextBytes): string {
  return forTerminal(untrusted(text, capBytes), { keepLines: true });
}

function show(value: unknown, capBytes: number, depth: number): unknown {
  if (typeof value === 'string') return visibleText(value, capBytes);
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((each) => show(each, capBytes, depth + 1));
  if (!isRecord(value)) return value ?? null;
  const bytes = bytesIn(value, capBytes);
  if (bytes !== null) return { untrusted: forTerminal(bytes, { keepLines: true }) };
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([key, each]) => [visibleText(key, usualTextBytes), show(each, capBytes, depth + 1)]),
  );
}

export function visible(value: object, capBytes = usualTextBytes): VisibleRecord {
  return show(value, capBytes, 0) as VisibleRecord;
}
