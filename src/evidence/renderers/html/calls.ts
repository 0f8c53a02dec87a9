import type { Analysis } from '../../../base/analysis-schema.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { chip, count, duration, fold, section } from './pieces.ts';
import type { Tone } from './tones.ts';

const tones: ReadonlyMap<string, Tone> = new Map([
  ['tool-error', 'info'],
  ['rpc-error', 'info'],
  ['unanswered', 'critical'],
]);

/** Every call that was made, for whoever wants to look one up. There are thousands: a line each, and few words. */
export function callsSection({ calls, leftOut }: Analysis, prefix: string): Markup {
  if (calls.length === 0) return nothing;
  const lines = calls.map(({ kind, phase, tool, fromMs, toMs, outcome }) => {
    const end = outcome === 'answered' ? outcome : chip(outcome, tones.get(outcome) ?? 'medium');
    return markup`<li><i>${duration(fromMs)}</i> ${kind === 'other' ? phase : kind} <code>${cut(tool, 80)}</code> ${end}, ${duration(toMs - fromMs)}</li>
`;
  });
  const more = leftOut.calls === undefined ? '' : `; ${leftOut.calls.toLocaleString('en')} more are only in the log`;
  const outcomes = [...Map.groupBy(calls, ({ outcome }) => outcome)].map(
    ([outcome, all]) => `${all.length.toLocaleString('en')} ${outcome}`,
  );
  const list = fold(
    `All: ${count(calls.length, 'call')}, one after the other`,
    markup`<ol class="calls">${lines}</ol>`,
  );
  return section(`${prefix}-calls`, 'Calls', list, `${outcomes.join(', ')}${more}.`);
}
