import type { UntrustedJson } from '../../base/event-schema.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { asUntrusted } from '../excerpt.ts';

const lineBytes = 600;

/** Bare addresses become links and names after an @ call people, unless something stands in between. */
function plain(shown: string): string {
  return shown
    .replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}\\.`)
    .replace(/(?<!\w)@(?=\w)/g, '@<!-- -->');
}

/** Text of a target in a line of Markdown: visible, and nothing in it is markup. */
export function inline(text: string): string {
  return plain(forTerminal(untrusted(text)));
}

export function inlineBytes(value: UntrustedJson): string {
  return plain(forTerminal(asUntrusted(value, lineBytes)));
}

export function fenced(text: string): string {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}text\n${text}\n${fence}`;
}
