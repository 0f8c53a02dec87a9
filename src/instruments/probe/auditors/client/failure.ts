import { type ErrorDetails, TargetError } from '../../../../base/errors.ts';

/** Why there is no answer. The first two are ours, nothing was sent; the others are what the server or the network did. */
export const failureKinds = [
  'not-allowed',
  'too-many',
  'no-connection',
  'tls',
  'timeout',
  'closed',
  'garbage',
] as const;
export type FailureKind = (typeof failureKinds)[number];

export class AuditFailure extends TargetError {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.kind = kind;
  }
}

const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
]);
const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Codes are words of Node; the message of an error may hold bytes of the server and is left out. */
export function failureOf(error: unknown, at: string): AuditFailure {
  if (error instanceof AuditFailure) return error;
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = /^[A-Z][A-Z0-9_]{1,63}$/.test(given) ? given : 'no code';
  const because = (kind: FailureKind, words: string): AuditFailure =>
    new AuditFailure(kind, `${words} (${code}): ${at}`, { cause: error });
  if (connectionCodes.has(code)) return because('no-connection', 'no connection');
  if (code === 'ETIMEDOUT') return because('timeout', 'no connection in time');
  if (closedCodes.has(code)) return because('closed', 'closed without an answer');
  if (code.startsWith('HPE_')) return because('garbage', 'the answer is not HTTP');
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') return because('tls', 'no TLS');
  if (code.startsWith('ERR_')) return because('not-allowed', 'the request cannot be written');
  return because('closed', 'no answer');
}
