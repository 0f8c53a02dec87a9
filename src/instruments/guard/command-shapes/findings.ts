import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { CommandCheck, ShapeHit } from './contract.ts';
import { quoteWords } from './quote-words.ts';
import { shapeRules } from './rules.ts';

/** What was found so far, each thing once. */

const mostHits = 64;
const longestWhere = 240;

/** Words on one line, safe to show. */
export function showWords(words: readonly string[]): string {
  const cut = words.slice(0, 64).map((word) => word.slice(0, longestWhere));
  const line = cut.map((word) => (word === '|' ? word : quoteWords([word]))).join(' ');
  const shown = forTerminal(untrusted(line.replace(/\s+/g, ' '), 4096));
  return shown.length > longestWhere ? `${shown.slice(0, longestWhere)}…` : shown;
}

export class Findings {
  readonly #shapes = new Map<string, ShapeHit>();
  readonly #notes = new Set<string>();

  hit(id: string, words: readonly string[], why?: string): void {
    const rule = shapeRules.shapes[id];
    if (rule === undefined || this.#shapes.size >= mostHits) return;
    const where = showWords(words);
    const hit = { id, title: rule.title, where, why: why ?? rule.why, cve: rule.cve };
    if (!this.#shapes.has(`${id} ${where}`)) this.#shapes.set(`${id} ${where}`, hit);
  }

  note(text: string, words: readonly string[] = []): void {
    if (this.#notes.size < mostHits) this.#notes.add(words.length === 0 ? text : `${showWords(words)}: ${text}`);
  }

  /** A hit of another inspection. */
  take(hit: ShapeHit): void {
    if (this.#shapes.size < mostHits) this.#shapes.set(`${hit.id} ${hit.where}`, hit);
  }

  count(id: string): number {
    return [...this.#shapes.values()].filter((hit) => hit.id === id).length;
  }

  get ids(): ReadonlySet<string> {
    return new Set([...this.#shapes.values()].map(({ id }) => id));
  }

  result(): CommandCheck {
    return { isExploitable: this.#shapes.size > 0, shapes: [...this.#shapes.values()], notes: [...this.#notes] };
  }
}
