import type { UntrustedJson } from '../../../base/event-schema.ts';
import { forHtml, forTerminal, type UntrustedText, untrusted } from '../../../base/untrusted.ts';
import { asUntrusted } from '../../excerpt.ts';

/**
 * HTML that only our own source can write. Whatever is put into a template is text and becomes visible text, whoever
 * wrote it; only what another template made stays markup, and no document can be read into one of those.
 */
export class Markup {
  readonly #text: string;

  constructor(template: { readonly text: string }) {
    this.#text = template.text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Part = string | number | Markup | UntrustedJson | null | readonly Part[];

/** Longer than anything of ours; a target's own text is cut earlier wherever it is one of many. */
const defaultCapBytes = 4096;

function bytesOf(value: string | UntrustedJson, capBytes: number): UntrustedText {
  if (typeof value === 'string') return untrusted(value, capBytes);
  const text = asUntrusted(value, capBytes);
  return value.droppedBytes === undefined ? text : { ...text, droppedBytes: text.droppedBytes + value.droppedBytes };
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'number') return String(part);
  if (typeof part === 'object' && Symbol.iterator in part) return part.map(textOf).join('');
  return forHtml(bytesOf(part, defaultCapBytes));
}

export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  parts.forEach((part, at) => {
    text += textOf(part) + (strings[at + 1] ?? '');
  });
  return new Markup({ text });
}

export const nothing: Markup = markup``;

/** The beginning of it, and how much was cut. */
export function cut(value: string | UntrustedJson, capBytes: number): Markup {
  return new Markup({ text: forHtml(bytesOf(value, capBytes)) });
}

/** On one line and at most so many characters, as text that is safe to be put into a template. */
export function brief(value: string | UntrustedJson, characters: number, keep: 'start' | 'end' = 'start'): string {
  const shown = [...forTerminal(bytesOf(value, 4 * characters + 16))];
  if (shown.length <= characters) return shown.join('');
  return keep === 'start'
    ? `${shown.slice(0, characters - 1).join('')}…`
    : `…${[...forTerminal(bytesOf(value, defaultCapBytes))].slice(1 - characters).join('')}`;
}

export function join(parts: readonly Part[], between: string): readonly Part[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]));
}
