import { TargetError } from '../../../base/errors.ts';

/** The header fields of a request, and which of them are not carried. */

export interface Field {
  /** Lower case. */
  readonly name: string;
  /** Without the white space around it; each character is a byte. */
  readonly value: string;
}

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  const isSpace = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  while (start < end && isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

export function readField(line: string): Field {
  if (line.startsWith(' ') || line.startsWith('\t')) throw new TargetError('a folded header');
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  if (!namePattern.test(name)) throw new TargetError('a malformed header name');
  return { name: name.toLowerCase(), value: trim(line.slice(colon + 1)) };
}

/** Gateways that make variables of headers cannot tell `_` from `-`, and some of them no other sign either. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
}

/** They decide what belongs to a request and whose it is; each stands there once, and spelled in one way. */
const single: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

const notCarried: ReadonlyMap<string, string> = new Map([
  ['upgrade', 'Upgrade'],
  ['http2-settings', 'HTTP2-Settings'],
  // Another Connection to some servers, and nothing to others.
  ['proxy-connection', 'Proxy-Connection'],
  // Servers differ in what they do with the body of a request that they have answered early.
  ['expect', 'Expect'],
]);

/** Other options name headers that the next server drops, also such as say where a request ends. */
const connectionOptions: ReadonlySet<string> = new Set(['keep-alive', 'close', 'te']);

function objectToConnection(value: string): void {
  const options = value.split(',').map((each) => trim(each).toLowerCase());
  if (!options.every((each) => connectionOptions.has(each))) throw new TargetError('an unusual Connection');
  if (options.includes('close') && options.includes('keep-alive')) throw new TargetError('an ambiguous Connection');
}

export function objectToField({ name, value }: Field): void {
  const plain = plainName(name);
  const refused = notCarried.get(plain);
  if (refused !== undefined) throw new TargetError(refused);
  if (plain !== name && single.has(plain)) throw new TargetError(`another spelling of ${plain}`);
  if (name === 'connection') objectToConnection(value);
}

export function objectToFields(fields: readonly Field[]): void {
  for (const name of single) {
    if (fields.filter((field) => field.name === name).length > 1) throw new TargetError(`more than one ${name}`);
  }
}

export function fieldValue(fields: readonly Field[], name: string): string | null {
  return fields.find((field) => field.name === name)?.value ?? null;
}

/** What comes after a body must not say anything that the head was judged by. */
export function objectToTrailer(field: Field, isGuarded: (plain: string) => boolean): void {
  const plain = plainName(field.name);
  if (single.has(plain) || notCarried.has(plain) || isGuarded(plain)) throw new TargetError(`${plain} after a body`);
}
