import type { z } from 'zod';
import { show } from './problem.ts';

/** What a schema says about a value, in words for whoever wrote the file. */

type Issue = z.core.$ZodIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
};

/** Numbers, characters of a text, or items of a list. */
function countOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

export function expectedOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.length === 1 ? show(issue.values[0]) : `one of ${issue.values.map(show).join(', ')}`;
    case 'too_small':
      return `at least ${issue.minimum}${countOf(issue.origin)}`;
    case 'too_big':
      return `at most ${issue.maximum}${countOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  );
}
