import type { Evidence } from '../../../../../base/finding-schema.ts';
import type { CallResult } from '../../../../../targets/conversation/contract.ts';
import { excerpt } from '../../../inspect/rule.ts';
import type { Observed } from '../contract.ts';

/** The answers of a trial as text, bounded: what the tool said, and what else came with it. */

const mostCharacters = 4 * 1024 * 1024;
const around = 80;

function rawText(raw: unknown): string {
  try {
    return (JSON.stringify(raw) ?? '').slice(0, mostCharacters);
  } catch {
    return '';
  }
}

function textOf({ text, raw }: CallResult): string {
  return `${Buffer.from(text.bytes).toString('utf8')}\n${rawText(raw)}`;
}

export function answersOf({ result, followUp }: Observed): readonly string[] {
  return [result, ...(followUp === undefined ? [] : [followUp])].map(textOf);
}

export function isKnown({ honest = [] }: Observed, sought: string): boolean {
  return honest.some((result) => textOf(result).includes(sought));
}

export function excerptAt(text: string, at: number, length: number): Evidence['excerpt'] {
  return excerpt(text.slice(Math.max(0, at - around), at + length + around));
}
