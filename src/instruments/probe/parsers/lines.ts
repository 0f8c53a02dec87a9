import { parserLimits } from './bounds.ts';

const carriageReturn = 0x0d;

/** The lines of a text that are not empty, without their ends; of one that is too long only that it was there. */
export function* linesOf(text: string): Generator<string | null> {
  let count = 0;
  for (let at = 0; at < text.length && count < parserLimits.lines; ) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    const last = stop > at && text.charCodeAt(stop - 1) === carriageReturn ? stop - 1 : stop;
    if (last > at) {
      count += 1;
      yield last - at > parserLimits.lineCharacters ? null : text.slice(at, last);
    }
    at = stop + 1;
  }
}
