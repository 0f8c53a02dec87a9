import { posix } from 'node:path';
import type { EventKind, UntrustedJson } from '../../../../src/base/event-schema.ts';
import { bytesField, caps } from '../../../../src/engine/sensor/fields.ts';
import type { Expectation, FieldSet, Json } from './expectation.ts';

/** Words to write expectations with. Names are written as latin-1: one character per byte. */

export function bytes(latin1: string): UntrustedJson {
  return bytesField(Buffer.from(latin1, 'latin1'));
}

/**
 * A path as it was given, joined to the folder it begins in with or without the `./` in front of it, and tidied: each is
 * right, and nothing else is.
 */
export function paths(given: string, base = '/'): readonly Json[] {
  const join = (path: string): string => (given.startsWith('/') ? given : `${base}/${path}`);
  const joined = join(given);
  return [...new Set([given, joined, join(given.replace(/^(\.\/+)+/, '')), posix.normalize(joined)])].map(bytes);
}

export function argv(...list: readonly string[]): Json {
  return list.map((argument) => bytesField(Buffer.from(argument, 'latin1'), caps.argument));
}

export function expected(
  number: number,
  role: string,
  kind: EventKind,
  call: string,
  what: string,
  fields: FieldSet,
): Expectation {
  return { number, role, kind, call, what, fields };
}

interface HowOpened {
  readonly access: 'read' | 'write' | 'read-write' | 'none';
  readonly creates?: boolean;
  readonly truncates?: boolean;
  readonly isFolder?: boolean;
}

export function opened(
  number: number,
  role: string,
  what: string,
  path: readonly Json[],
  { access, creates = false, truncates = false, isFolder = false }: HowOpened,
  call = 'openat',
): Expectation {
  const fields = { path, access: [access], creates: [creates], truncates: [truncates], isFolder: [isFolder] };
  return expected(number, role, 'open', call, what, fields);
}

export const creating = { access: 'write', creates: true } as const;
export const emptying = { access: 'write', creates: true, truncates: true } as const;
export const reading = { access: 'read' } as const;
