import { TargetError } from '../../../base/errors.ts';
import { type Field, fieldValue } from './fields.ts';

/** Where a request ends. */
export type Framing = { readonly is: 'length'; readonly length: number } | { readonly is: 'chunked' };

/** No leading zeros: some read octal. Fifteen digits are exact in every number. */
const lengthPattern = /^(?:0|[1-9][0-9]{0,14})$/;

export function readFraming(version: string, fields: readonly Field[]): Framing {
  const length = fieldValue(fields, 'content-length');
  const coding = fieldValue(fields, 'transfer-encoding');
  if (length !== null && coding !== null) throw new TargetError('Content-Length together with Transfer-Encoding');
  if (coding !== null) {
    if (coding !== 'chunked') throw new TargetError('a Transfer-Encoding that is not exactly chunked');
    if (version !== 'HTTP/1.1') throw new TargetError('Transfer-Encoding in HTTP/1.0');
    return { is: 'chunked' };
  }
  if (length !== null && !lengthPattern.test(length)) throw new TargetError('a malformed Content-Length');
  return { is: 'length', length: Number(length ?? 0) };
}

/** Seven digits fit into every number of every server. Extensions are not carried: servers disagree on their end. */
const chunkPattern = /^[0-9A-Fa-f]{1,7}$/;

export const longestChunkLine = 7;

export function readChunkSize(line: string): number {
  if (!chunkPattern.test(line)) throw new TargetError('a malformed chunk');
  return Number.parseInt(line, 16);
}
