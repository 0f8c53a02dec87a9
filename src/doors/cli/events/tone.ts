import type { Style } from '../terminal/index.ts';

/** What a line means to its reader; the colour follows from it. */
export type Tone = 'leak' | 'decoy' | 'denied' | 'network' | 'start' | 'plain' | 'quiet';

export function paint(tone: Tone, text: string, style: Style): string {
  const brushes: Readonly<Record<Tone, (text: string) => string>> = {
    leak: (each) => style.strong(style.bad(each)),
    decoy: style.bad,
    denied: style.warn,
    network: style.code,
    start: style.strong,
    plain: (each) => each,
    quiet: style.faint,
  };
  return text === '' ? '' : brushes[tone](text);
}
