import { UsageError } from '../../../base/errors.ts';
import { kibibyte } from '../../../base/limits.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import { quote } from '../../../engine/policy/read/problem.ts';
import type { Credential } from '../contract.ts';
import type { LoadedScope } from './scope.ts';

/** Secrets of the scope. The file names a variable; its value is looked up when a scan asks, and shown to nobody. */

export type Environment = Readonly<Record<string, string | undefined>>;

const largestValue = 8 * kibibyte;

/** Headers that say how a message is framed or where it goes: with these a secret would be a way out of the scope. */
export const unfitHeaders: readonly string[] = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'expect',
];

/** Why a value cannot stand in a header; null when it can. The value itself is never told. */
function faultOfValue(value: string | undefined): string | null {
  if (value === undefined) return 'is not set';
  if (value.trim() === '') return 'is empty';
  if (value.length > largestValue) return `is longer than ${largestValue} characters`;
  return /^[\x20-\x7e]*$/.test(value) ? null : 'holds characters that no header holds';
}

export function credentialOf(scope: Pick<LoadedScope, 'document'>, name: string, environment: Environment): Credential {
  const known = scope.document.credentials ?? [];
  const found = known.find((credential) => credential.name === name);
  if (found === undefined) {
    const names = known.map((credential) => credential.name);
    const nearest = findNearest(name, names);
    const list = names.length === 0 ? 'It has none.' : `It has ${names.slice(0, 10).join(', ')}.`;
    throw new UsageError(`the scope has no credential ${quote(name)}`, {
      hint: nearest === null ? list : `Did you mean ${nearest}?`,
    });
  }
  const value = Object.hasOwn(environment, found.variable) ? environment[found.variable] : undefined;
  const fault = faultOfValue(value);
  if (value === undefined || fault !== null) {
    throw new UsageError(`the credential ${name} cannot be used: the variable ${found.variable} ${fault ?? ''}`, {
      hint: `Set ${found.variable} to the whole value of the header ${found.header}.`,
    });
  }
  return { name, header: found.header, value: value.trim() };
}
