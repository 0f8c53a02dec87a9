import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { type RunCompleteness, whyIncomplete } from '../../../engine/sensor/history/index.ts';
import { type Terminal, wrap } from '../terminal/index.ts';

const safe = (text: string): string => forTerminal(untrusted(text, 1000));

interface Sentence {
  readonly head: string;
  readonly rest: string;
  readonly isGood: boolean;
}

function sentenceOf(completeness: RunCompleteness): Sentence {
  if (completeness.is === 'unknown')
    return { head: 'not known whether complete:', rest: completeness.because, isGood: false };
  const faults = completeness.sensors.flatMap((sensor) => {
    const reasons = whyIncomplete(sensor);
    return reasons.length === 0 ? [] : [`${sensor.source} ${reasons.join(', ')}`];
  });
  const cuts = Object.entries(completeness.search ?? {}).map(([reason, times]) => `${reason} ${times}`);
  if (cuts.length > 0) faults.push(`the search for canaries left something out (${cuts.join(', ')})`);
  if (faults.length > 0) return { head: 'NOT complete:', rest: faults.join('; '), isGood: false };
  const seen = completeness.sensors.map(({ source, received }) => `${source} saw ${received}`);
  return { head: 'complete:', rest: `${seen.join(', ')}, nothing lost`, isGood: true };
}

/** Whether what is not in the log did not happen. */
export function renderCompleteness(completeness: RunCompleteness, terminal: Terminal): string {
  const { head, rest, isGood } = sentenceOf(completeness);
  const { style } = terminal;
  const lines = wrap(`${head} ${safe(rest)}`, terminal.width);
  const color = isGood ? style.good : style.warn;
  return lines
    .map((line, at) => (at === 0 ? color(head) + line.slice(head.length) : line))
    .join('\n')
    .concat('\n');
}
