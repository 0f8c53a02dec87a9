import { UsageError } from '../../../base/errors.ts';
import type { InjectedHeader } from './contract.ts';
import { plainName, readField } from './fields.ts';
import type { RequestHead } from './request-head.ts';

/** The bytes of a head as they are sent on. */

const taken: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** A header that would change what a request is cannot be put into one. */
export function checkInjected({ header, value }: InjectedHeader): void {
  const isWritable = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (!isWritable || taken.has(plainName(header))) {
    throw new UsageError('the header that is to be put into requests is malformed or has a meaning of its own');
  }
}

export function headBytes(head: RequestHead, inject: InjectedHeader | null): Buffer {
  if (inject === null) return Buffer.from(`${head.lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const name = plainName(inject.header);
  const [first = '', ...rest] = head.lines;
  const kept = rest.filter((line) => plainName(readField(line).name) !== name);
  return Buffer.from(`${[first, ...kept, `${inject.header}: ${inject.value}`].join('\r\n')}\r\n\r\n`, 'latin1');
}
