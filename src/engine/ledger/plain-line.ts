import { endOfValue } from './canonical.ts';
import { instruments, ledgerVerdicts } from './contract.ts';
import { ledgerLimits } from './limits.ts';

/** The quick way through a line as nearly all are: names of plain characters, nothing escaped. Whatever else goes the long way. */

export interface LineReading {
  readonly sequence: number;
  readonly previous: string;
  readonly wall: string;
  readonly action: string;
}

const name = '[ !#-\\[\\]-~]';
const optional = (key: string): string => `(?:"${key}":"${name}*",)?`;
const wall = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

const beforeDetails = new RegExp(
  `\\{"action":"([a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*)","at":\\{"monotonicNs":"(?:0|[1-9]\\d{0,19})","wall":"(${wall})"\\},`,
  'y',
);
const afterDetails = new RegExp(
  [
    `"instrument":"(?:${instruments.join('|')})",`,
    optional('policy'),
    // How long it is, is looked at afterwards: counting makes a pattern slow.
    '"previous":"([0-9a-f]*)",',
    optional('rule'),
    '"sequence":(0|[1-9]\\d{0,14}),',
    optional('server'),
    `"session":"${name}+","verdict":"(?:${ledgerVerdicts.join('|')})"\\}`,
  ].join(''),
  'y',
);
const detailsLabel = '"details":';
const previousChars = 64;
/** When all of it is so short, each name is short enough. */
const mostChars = 6 * ledgerLimits.nameChars;

/** Null says nothing about the line. */
export function readPlain(text: string): LineReading | null {
  beforeDetails.lastIndex = 0;
  const before = beforeDetails.exec(text);
  if (before === null) return null;
  let at = before[0].length;
  if (text.startsWith(detailsLabel, at)) {
    const start = at + detailsLabel.length;
    const end = text.charCodeAt(start) === 0x7b ? endOfValue(text, start, ledgerLimits.detailsDepth + 1) : -1;
    if (end === -1 || text.charCodeAt(end) !== 0x2c) return null;
    at = end + 1;
  }
  if (text.length - at > mostChars) return null;
  afterDetails.lastIndex = at;
  const after = afterDetails.exec(text);
  if (after === null || afterDetails.lastIndex !== text.length) return null;
  const [, action = '', wallTime = ''] = before;
  const [, previous = '', sequence] = after;
  if (previous.length !== previousChars) return null;
  return { action, sequence: Number(sequence), previous, wall: wallTime };
}
