import type { RuleHit } from '../contract.ts';

/** What the stream itself refuses, before any rule has seen a message. */

interface Fault {
  readonly title: string;
  readonly what: string;
  readonly remedy: string;
  /** Of the error that the sender is told. */
  readonly code: number;
}

/**
 * Refused by a rule. From the range that JSON-RPC leaves to servers, and away from -32000 to -32004 and -32042, which the
 * protocol and its libraries use: a client that reads -32001 believes in a timeout.
 */
export const refusedCode = -32050;
const parseError = -32700;
const invalidRequest = -32600;

const tellAuthor = 'Tell the authors of the program that wrote it.';

export const faults = {
  'stream/not-json': {
    title: 'Not JSON',
    what: 'a line that is no JSON text',
    remedy: `Log lines belong on stderr. ${tellAuthor}`,
    code: parseError,
  },
  'stream/not-utf8': { title: 'Not UTF-8', what: 'a line that is not UTF-8', remedy: tellAuthor, code: parseError },
  'stream/too-long': {
    title: 'Message too long',
    what: 'a message that is longer than the cap',
    remedy: 'Ask for less at a time: a page, a range, a single file.',
    code: invalidRequest,
  },
  'stream/too-deep': {
    title: 'Message too deep',
    what: 'a message with too many containers in one another',
    remedy: tellAuthor,
    code: invalidRequest,
  },
  'stream/not-json-rpc': {
    title: 'Not JSON-RPC',
    what: 'JSON that is no JSON-RPC 2.0 message',
    remedy: `Log lines belong on stderr. ${tellAuthor}`,
    code: invalidRequest,
  },
  'stream/bad-id': {
    title: 'Unusable id',
    what: 'a request or answer whose id is no short text and no exact number',
    remedy: tellAuthor,
    code: invalidRequest,
  },
  'stream/id-in-use': {
    title: 'Id in use',
    what: 'a request with the id of one that waits for its answer',
    remedy: tellAuthor,
    code: invalidRequest,
  },
  'stream/too-many-open': {
    title: 'Too many open requests',
    what: 'a request while too many others wait for their answers',
    remedy: 'Wait for answers, or cancel requests.',
    code: refusedCode,
  },
  'stream/unasked-answer': {
    title: 'Answer to nothing',
    what: 'an answer to a request that nobody made or that has been answered',
    remedy: tellAuthor,
    code: invalidRequest,
  },
  'stream/ambiguous': {
    title: 'Ambiguous message',
    what: 'a message that is a request and an answer, or a result and an error, at once',
    remedy: tellAuthor,
    code: invalidRequest,
  },
  'stream/duplicate-keys': {
    title: 'Key given twice',
    what: 'an object with the same key twice, of which two readers may take different ones',
    remedy: tellAuthor,
    code: refusedCode,
  },
  'stream/key-variant': {
    title: 'Key in another spelling',
    what: 'a field of the protocol in other letters, which some readers take for the real one',
    remedy: tellAuthor,
    code: refusedCode,
  },
  'stream/line-break': {
    title: 'Line break within a message',
    what: 'a carriage return between the parts of a message, which some readers take for its end',
    remedy: tellAuthor,
    code: refusedCode,
  },
  'stream/bad-batch': {
    title: 'Unusable batch',
    what: 'a batch that is empty, too large, or has something else than messages in it',
    remedy: tellAuthor,
    code: invalidRequest,
  },
  'ledger/failed': {
    title: 'Ledger cannot be written',
    what: 'the ledger could not take this decision, and nothing goes on that is not recorded',
    remedy: 'See `hotcell audit fsck`, and whether the disk is full.',
    code: refusedCode,
  },
  'guard/failed': {
    title: 'Rule failed',
    what: 'a rule failed while it judged this message',
    remedy: 'This is a fault of Hotcell; please report it.',
    code: refusedCode,
  },
  'guard/ended': {
    title: 'Server has ended',
    what: 'the server has ended or does not listen any more',
    remedy: 'Start the server again.',
    code: refusedCode,
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultId = keyof typeof faults;

export function hitOf(rule: FaultId, details?: RuleHit['details']): RuleHit {
  const { title, what, remedy } = faults[rule];
  return { rule, title, what, remedy, ...(details === undefined ? {} : { details }) };
}

export function codeOf(rule: string): number {
  return Object.hasOwn(faults, rule) ? faults[rule as FaultId].code : refusedCode;
}
