import type { z } from 'zod';
import { findNearest } from '../nearest.ts';
import { expectedOf, valueAt } from './issue.ts';
import { type Findings, joinPath, quote, show } from './problem.ts';

/** Checks one value against a schema and tells every fault in the words of the policy file. */

type Issue = z.core.$ZodIssue;

function report(issue: Issue, value: unknown, path: string, keys: readonly string[], { problems }: Findings): void {
  const here = joinPath(path, ...issue.path);
  if (issue.code !== 'unrecognized_keys') {
    problems.push({ path: here, expected: expectedOf(issue), found: show(valueAt(value, issue.path)) });
    return;
  }
  for (const key of issue.keys) reportUnknownKey(key, here, keys, problems);
}

export function reportUnknownKey(
  key: string,
  path: string,
  keys: readonly string[],
  problems: Findings['problems'],
): void {
  const nearest = findNearest(key, keys);
  problems.push({
    path: joinPath(path, key),
    expected: `one of the keys ${keys.join(', ')}`,
    found: quote(key),
    ...(nearest === null ? {} : { nearest }),
  });
}

/** The value as the schema understands it, or null after its faults have been noted. */
export function check<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  value: unknown,
  path: string,
  findings: Findings,
): z.infer<z.ZodObject<T>> | null {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) report(issue, value, path, Object.keys(schema.shape), findings);
  return null;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with known keys only; its values are not looked at yet. */
export function checkKeys(
  value: unknown,
  path: string,
  keys: readonly string[],
  findings: Findings,
): JsonObject | null {
  if (!isObject(value)) {
    findings.problems.push({ path, expected: `an object with ${keys.join(', ')}`, found: show(value) });
    return null;
  }
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) reportUnknownKey(key, path, keys, findings.problems);
  }
  return value;
}

/** A list of no more than `most` items. */
export function checkList(value: unknown, path: string, most: number, findings: Findings): readonly unknown[] {
  if (!Array.isArray(value)) {
    findings.problems.push({ path, expected: 'a list', found: show(value) });
    return [];
  }
  if (value.length > most) {
    findings.problems.push({ path, expected: `at most ${most} items`, found: show(value) });
    return [];
  }
  return value;
}
