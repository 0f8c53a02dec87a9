import { UsageError } from '../../base/errors.ts';
import { instruments, type LedgerEntry, ledgerVerdicts } from './contract.ts';
import { writeDetails } from './details.ts';
import { ledgerLimits } from './limits.ts';

/** From what a caller hands over to the line that stands in the log. */

/** The canonical line in pieces, with holes for what is known only under the lock: times, previous leaf, sequence. */
export interface PreparedLine {
  readonly beforeTimes: string;
  readonly beforePrevious: string;
  readonly beforeSequence: string;
  readonly end: string;
  /** What it takes at most, holes filled. */
  readonly bytes: number;
}

export const actionPattern = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;
const fields = new Set(['instrument', 'action', 'verdict', 'session', 'server', 'policy', 'rule', 'details']);
const optionalNames = ['server', 'policy', 'rule'] as const;
const filledHoles = 192;

function checkEntry(entry: LedgerEntry): void {
  const unknown = Object.keys(entry).find((key) => !fields.has(key));
  if (unknown !== undefined) throw new UsageError(`a ledger entry has no field called ${JSON.stringify(unknown)}`);
  if (!instruments.includes(entry.instrument)) throw new UsageError('a ledger entry names no known instrument');
  if (!ledgerVerdicts.includes(entry.verdict)) throw new UsageError('a ledger entry has no known verdict');
  const isAction = typeof entry.action === 'string' && actionPattern.test(entry.action);
  if (!isAction || entry.action.length > ledgerLimits.actionChars) {
    throw new UsageError('the action of a ledger entry is two words with a dot, such as tool.call');
  }
  if (typeof entry.session !== 'string' || entry.session === '') throw new UsageError('a ledger entry has no session');
  const wrong = optionalNames.find((name) => entry[name] !== undefined && typeof entry[name] !== 'string');
  if (wrong !== undefined) throw new UsageError(`${wrong} of a ledger entry is no text`);
  const { details } = entry;
  if (details !== undefined && (typeof details !== 'object' || details === null || Array.isArray(details))) {
    throw new UsageError('details of a ledger entry are no object');
  }
}

function name(text: string): string {
  const { nameChars } = ledgerLimits;
  return JSON.stringify(text.length <= nameChars ? text : `${text.slice(0, nameChars - 1)}…`.toWellFormed());
}

/** `"key":value,` when there is a value. The order of the keys below is that of canonical JSON. */
function optional(key: string, value: string | undefined): string {
  return value === undefined ? '' : `"${key}":${name(value)},`;
}

export function prepareLine(entry: LedgerEntry): PreparedLine {
  checkEntry(entry);
  const details = entry.details === undefined ? '' : `"details":${writeDetails(entry.details)},`;
  const pieces = {
    beforeTimes: `{"action":${JSON.stringify(entry.action)},"at":{"monotonicNs":"`,
    beforePrevious: `"},${details}"instrument":"${entry.instrument}",${optional('policy', entry.policy)}"previous":"`,
    beforeSequence: `",${optional('rule', entry.rule)}"sequence":`,
    end: `,${optional('server', entry.server)}"session":${name(entry.session)},"verdict":"${entry.verdict}"}`,
  };
  const bytes = Object.values(pieces).reduce((sum, piece) => sum + Buffer.byteLength(piece), filledHoles);
  return { ...pieces, bytes };
}

export interface LineMoment {
  readonly monotonicNs: bigint;
  readonly wall: string;
}

export function finishLine(line: PreparedLine, moment: LineMoment, previous: string, sequence: number): string {
  const times = `${moment.monotonicNs}","wall":"${moment.wall}`;
  return `${line.beforeTimes}${times}${line.beforePrevious}${previous}${line.beforeSequence}${sequence}${line.end}`;
}
