import { type Markup, markup, nothing, type Part } from './markup.ts';
import type { Tone } from './tones.ts';

/** Small things that every section is made of. */

export function chip(text: Part, tone: Tone = 'plain'): Markup {
  return markup`<span class="chip ${tone}">${text}</span>`;
}

export function fold(summary: Part, content: Part): Markup {
  return markup`<details><summary>${summary}</summary><div class="folded">${content}</div></details>`;
}

export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export interface Column {
  readonly title: string;
  /** Digits stand below each other. */
  readonly isNumber?: boolean;
}

export interface Shape {
  readonly columns: readonly Column[];
  /** What happens where there is no room for columns: each row a card, or its cells one after the other as a line. */
  readonly whenNarrow?: 'card' | 'line';
}

export function table({ columns, whenNarrow = 'card' }: Shape, rows: readonly (readonly Part[])[]): Markup {
  if (rows.length === 0) return nothing;
  const heads = columns.map(({ title }) => markup`<th scope="col">${title}</th>`);
  const body = rows.map((cells) => {
    const row = cells.map((cell, at) => {
      const { title = '', isNumber = false } = columns[at] ?? {};
      const label = whenNarrow === 'card' ? markup` data-l="${title}"` : nothing;
      return markup`<td${label}${isNumber ? markup` class="number"` : nothing}><div>${cell}</div></td>
`;
    });
    return markup`<tr>${row}</tr>`;
  });
  return markup`<table class="${whenNarrow}"><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`;
}

/** The first rows, and the others behind a fold; with none before it, the fold is named by what it holds. */
export function longTable(shape: Shape, rows: readonly (readonly Part[])[], shown: number, what: string): Markup {
  const rest = rows.slice(shown);
  const number = rest.length.toLocaleString('en');
  const summary = shown === 0 ? `${what}: ${number}` : `${number} more ${what}`;
  return markup`${table(shape, rows.slice(0, shown))}${rest.length === 0 ? nothing : fold(summary, table(shape, rest))}`;
}

export function section(id: string, title: string, content: Part, note: Part = null): Markup {
  return markup`<section class="card" id="${id}"><h3>${title}</h3>${
    note === null ? nothing : markup`<p class="faint">${note}</p>`
  }${content}</section>`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function bytes(size: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
  return `${Number((size / 1024 ** power).toFixed(1)).toLocaleString('en')} ${units[power] ?? ''}`;
}
