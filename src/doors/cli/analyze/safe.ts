import type { UntrustedJson } from '../../../base/event-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { asUntrusted } from '../../../evidence/excerpt.ts';
import { chooseDrawing } from '../events/drawing.ts';
import { cutEnd } from '../events/shorten.ts';
import type { Terminal } from '../terminal/index.ts';

/** Text of a target on one line of a terminal: spelled out, and cut where the line ends. */

const longestBytes = 2000;

export function safe(text: string): string {
  return forTerminal(untrusted(text, longestBytes));
}

export function safeBytes(value: UntrustedJson, capBytes = longestBytes): string {
  return forTerminal(asUntrusted(value, capBytes)).replace(/ {2,}/g, ' ');
}

/** Where the output is no terminal a line may be long, but not endless. */
const longestLine = 400;

export function cutToFit(text: string, cells: number, terminal: Terminal): string {
  return cutEnd(text, Math.max(8, Math.min(cells, longestLine)), chooseDrawing(terminal).ellipsis);
}
