import { secondMs } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/** Lines for people: one per fact, but never a flood. What was left out is counted in the next line that goes. */

export interface TellLimits {
  readonly lines: number;
  readonly perMs: number;
}

const defaultLimits: TellLimits = { lines: 20, perMs: 10 * secondMs };
const longestLine = 500;

export function limitTelling(
  tell: (line: string) => void,
  { lines, perMs }: TellLimits = defaultLimits,
  now: () => number = () => performance.now(),
): (line: string) => void {
  let [begun, told, left] = [now(), 0, 0];
  return (line) => {
    if (now() - begun >= perMs) [begun, told] = [now(), 0];
    if (told >= lines) {
      left += 1;
      return;
    }
    told += 1;
    const missing = left === 0 ? '' : ` (${left} lines before it were left out)`;
    left = 0;
    tell(`${forTerminal(untrusted(line, longestLine))}${missing}`);
  };
}
