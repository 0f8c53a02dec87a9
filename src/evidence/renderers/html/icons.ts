import { type Markup, markup } from './markup.ts';

/** What each box of a chain stands for, drawn on a field of 20 by 20. */

const shapes = {
  target: markup`<path d="M10 2.5 17 6v8l-7 3.5L3 14V6Z M3 6l7 3.5L17 6 M10 9.5v8"/>`,
  call: markup`<path d="M3 4h14v9H9l-4 4v-4H3Z"/>`,
  process: markup`<path d="M2.5 4h15v12h-15Z M5.5 8l2.5 2-2.5 2 M10 13h4"/>`,
  event: markup`<path d="M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10Z"/><circle cx="10" cy="10" r="2.3"/>`,
  effect: markup`<path d="M10 2.5 18.5 17h-17Z M10 8v4.5 M10 14.3v.6"/>`,
  source: markup`<path d="M7 5 2.5 10 7 15 M13 5l4.5 5-4.5 5"/>`,
} as const;

export type IconName = keyof typeof shapes;

export function icon(name: IconName): Markup {
  return markup`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${shapes[name]}</svg>`;
}

export const arrow: Markup = markup`<svg class="arrow" viewBox="0 0 24 16" aria-hidden="true"><path d="M1 8h20 M15 2.5 21.5 8 15 13.5"/></svg>`;
