import { findObjects } from './find-objects.ts';

/** The JSON values in one frame, and what else is in it. */

export interface ParsedFrame {
  readonly values: readonly unknown[];
  /** Text around or instead of JSON. */
  readonly noise: readonly string[];
  /** Values beyond the cap. */
  readonly dropped: number;
}

/** Trying is dear when it fails, and most lines that are no JSON show it in their first character. */
const firstCharacter = /^[\s{["\-0-9tfn]/;

/** Undefined where the text is no JSON; no JSON text stands for undefined. */
export function parseJson(text: string): unknown {
  if (!firstCharacter.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const markOfBytes = /^\uFEFF+/;

function listed(value: unknown, cap: number): ParsedFrame {
  if (!Array.isArray(value)) return { values: [value], noise: [], dropped: 0 };
  return { values: value.slice(0, cap), noise: [], dropped: Math.max(0, value.length - cap) };
}

export function parseFrame(bytes: Buffer, mostMessages: number): ParsedFrame {
  const text = bytes.toString('utf8').replace(markOfBytes, '').trim();
  if (text === '') return { values: [], noise: [], dropped: 0 };
  const whole = parseJson(text);
  if (whole !== undefined) return listed(whole, mostMessages);
  const { objects, around, dropped } = findObjects(text, mostMessages);
  return { values: objects, noise: around, dropped };
}
