import type { Verdict } from '../../../base/verdict-schema.ts';
import type { Rubric } from '../../rubric.ts';
import { type Markup, markup } from './markup.ts';
import type { Tone } from './tones.ts';

/** The risk as half a dial, with a mark where it begins to warn and where it begins to fail. */

const radius = 80;
const middle = { x: 100, y: 96 } as const;

function pointAt(value: number, distance: number): string {
  const angle = Math.PI * (1 - value / 100);
  const x = middle.x + distance * Math.cos(angle);
  const y = middle.y - distance * Math.sin(angle);
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function arc(from: number, to: number): string {
  return `M${pointAt(from, radius)} A${radius} ${radius} 0 0 1 ${pointAt(to, radius)}`;
}

function tick(value: number): Markup {
  const [x = '', y = ''] = pointAt(value, radius + 16).split(' ');
  return markup`<path class="tick" d="M${pointAt(value, radius - 11)} L${pointAt(value, radius + 9)}"/><text class="small" x="${x}" y="${y}" text-anchor="middle">${value}</text>`;
}

export function gauge(
  { risk, band }: Pick<Verdict, 'risk' | 'band'>,
  tone: Tone,
  { warns, fails }: Pick<Rubric, 'warns' | 'fails'>,
): Markup {
  const said = risk === null ? 'risk unknown' : `risk ${risk} of 100, ${band}`;
  return markup`<svg class="gauge ${tone}" viewBox="0 -10 200 124" role="img" aria-label="${said}">
<path class="track${risk === null ? ' open' : ''}" d="${arc(0, 100)}"/>${
    risk === null ? null : markup`<path class="value" d="${arc(0, Math.max(1.5, risk))}"/>`
  }${tick(warns)}${tick(fails)}
<text class="risk" x="100" y="88" text-anchor="middle">${risk ?? '?'}</text><text class="small" x="100" y="108" text-anchor="middle">${risk === null ? 'too little is known' : 'risk of 100'}</text></svg>`;
}
