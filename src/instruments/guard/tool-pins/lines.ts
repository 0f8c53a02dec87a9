import type { UntrustedJson } from '../../../base/event-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { asUntrusted } from '../../../evidence/excerpt.ts';
import { type DifferenceLine, lineDifference } from '../../../targets/listings/line-difference.ts';
import type { ChangeKind, EntryFields } from './documents.ts';

/** What is different in an entry, old and new, in lines that are safe to show. */

const mostLinesOfField = 60;
const mostLines = 200;
const longestLineBytes = 600;
const longestNameBytes = 200;

const marks: Readonly<Record<DifferenceLine['is'], string>> = { added: '+', removed: '-', same: ' ' };
const words: Readonly<Record<ChangeKind, string>> = { added: 'new', changed: 'changed', removed: 'gone' };
const kinds: Readonly<Record<string, string>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  templates: 'resource template',
};

export function shownName(part: string, name: string): string {
  if (part === 'instructions') return part;
  return `${kinds[part] ?? 'entry'} "${forTerminal(untrusted(name, longestNameBytes))}"`;
}

function shownText(text: UntrustedJson): string {
  return forTerminal(asUntrusted(text, longestLineBytes));
}

function fieldLines(field: string, before: string, after: string): readonly string[] {
  const lines = lineDifference(before, after, mostLinesOfField);
  if (lines.length === 0) return [];
  return [
    `    ${forTerminal(untrusted(field, longestNameBytes))}:`,
    ...lines.map(({ is, text }) => `    ${marks[is]} ${shownText(text)}`),
  ];
}

export interface ShownChange {
  readonly part: string;
  readonly name: string;
  readonly is: ChangeKind;
  readonly before: EntryFields | null;
  readonly after: EntryFields | null;
}

export function changeLines({ part, name, is, before, after }: ShownChange): readonly string[] {
  const [old, fresh] = [before ?? {}, after ?? {}];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].toSorted();
  const all = [
    `${words[is]}: ${shownName(part, name)}`,
    ...fields.flatMap((field) => fieldLines(field, old[field] ?? '', fresh[field] ?? '')),
  ];
  return cut(all);
}

export function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `    … ${lines.length - mostLines + 1} lines more`];
}
