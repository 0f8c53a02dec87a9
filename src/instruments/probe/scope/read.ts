import type { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import { expectedOf, valueAt } from '../../../engine/policy/read/issue.ts';
import { parseJson } from '../../../engine/policy/read/json-fault.ts';
import { joinPath, quote, show } from '../../../engine/policy/read/problem.ts';
import { inspectScope } from './inspect.ts';
import { mostProblemsTold, refuseScope, type ScopeProblem } from './problem.ts';
import {
  authorizationSchema,
  concurrencySchema,
  credentialSchema,
  rateSchema,
  type ScopeDocument,
  scopeSchema,
  windowSchema,
} from './schema.ts';

/** Reads what stands in a scope file: every fault at once, each with its place. */

export const largestScopeBytes = 1 * mebibyte;

type Issue = z.core.$ZodIssue;

/** What may stand at a place, for the word that was probably meant. */
const knownKeys: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(scopeSchema.shape),
  rate: Object.keys(rateSchema.shape),
  concurrency: Object.keys(concurrencySchema.shape),
  window: Object.keys(windowSchema.shape),
  authorization: Object.keys(authorizationSchema.shape),
  credentials: Object.keys(credentialSchema.shape),
};

function problemsOf(issue: Issue, value: unknown): readonly ScopeProblem[] {
  if (issue.code !== 'unrecognized_keys') {
    const found = show(valueAt(value, issue.path));
    return [{ path: joinPath('', ...issue.path), what: `expected ${expectedOf(issue)}, found ${found}` }];
  }
  const known = knownKeys[String(issue.path[0] ?? '')] ?? [];
  return issue.keys.map((key, at) => {
    // The search takes its time, and a file may hold tens of thousands of wrong keys.
    const nearest = at < mostProblemsTold ? findNearest(key, known) : null;
    const meant = nearest === null ? `known are ${known.join(', ')}` : `did you mean ${quote(nearest)}?`;
    return { path: joinPath('', ...issue.path, key), what: `there is no such field; ${meant}` };
  });
}

export function readScope(text: string, file: string): ScopeDocument {
  if (Buffer.byteLength(text) > largestScopeBytes) {
    throw new UsageError(`the scope ${quote(file)} is larger than ${largestScopeBytes} bytes`);
  }
  const value = parseJson(text, `the scope ${quote(file)}`);
  const result = scopeSchema.safeParse(value);
  if (!result.success)
    refuseScope(
      file,
      result.error.issues.flatMap((issue) => problemsOf(issue, value)),
    );
  const { $schema: _, ...document } = result.data;
  const problems = inspectScope(document);
  if (problems.length > 0) refuseScope(file, problems);
  return document;
}
