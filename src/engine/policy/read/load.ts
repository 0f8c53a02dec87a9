import { describeError, UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { tiers } from '../../../base/policy-schema.ts';
import { type FileStart, readRegularFileSync } from '../../../base/regular-file.ts';
import { findNearest } from '../nearest.ts';
import { tierPolicy } from '../tiers.ts';
import { parseJson } from './json-fault.ts';
import { parsePolicy, type ReadPolicy } from './parse.ts';
import { quote } from './problem.ts';

/** A policy by the name of its tier, or from a file. */

const largestFileBytes = 1 * mebibyte;

function missing(path: string, cause: unknown): UsageError {
  const nearest = findNearest(path, tiers);
  const hint =
    nearest === null ? `a tier (${tiers.join(', ')}) or the path of a JSON file` : `did you mean ${nearest}?`;
  return new UsageError(`cannot read the policy ${quote(path)}: ${describeError(cause)}`, { hint, cause });
}

function readText(path: string): string {
  let read: FileStart;
  try {
    read = readRegularFileSync(path, { mostBytes: largestFileBytes, links: 'followed' });
  } catch (cause) {
    throw missing(path, cause);
  }
  if (!read.isWhole) throw new UsageError(`the policy ${quote(path)} is larger than ${largestFileBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.bytes);
  } catch (cause) {
    throw new UsageError(`the policy ${quote(path)} is not UTF-8 text`, { cause });
  }
}

export function readPolicy(nameOrPath: string): ReadPolicy {
  const tier = tiers.find((name) => name === nameOrPath.toUpperCase());
  if (tier !== undefined) return { policy: tierPolicy(tier), notices: [] };
  return parsePolicy(parseJson(readText(nameOrPath), `the policy ${quote(nameOrPath)}`), nameOrPath);
}
