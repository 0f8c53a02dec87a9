import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { describeError, UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { tiers } from '../../../base/policy-schema.ts';
import { findNearest } from '../nearest.ts';
import { tierPolicy } from '../tiers.ts';
import { parseJson } from './json-fault.ts';
import { parsePolicy, type ReadPolicy } from './parse.ts';
import { quote } from './problem.ts';

/** A policy by the name of its tier, or from a file. */

const largestFileBytes = 1 * mebibyte;

/** One byte more than allowed is asked for, so that a file that grows meanwhile is noticed as well. */
function readBytes(path: string): Buffer {
  // Without O_NONBLOCK a pipe without a writer would hold us for ever.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile())
      throw new UsageError(`cannot read the policy ${quote(path)}: it is not a file`);
    const buffer = Buffer.alloc(largestFileBytes + 1);
    let size = 0;
    for (let got = -1; got !== 0 && size < buffer.length; size += got)
      got = readSync(descriptor, buffer, size, buffer.length - size, null);
    return buffer.subarray(0, size);
  } finally {
    closeSync(descriptor);
  }
}

function missing(path: string, cause: unknown): UsageError {
  const nearest = findNearest(path, tiers);
  const hint =
    nearest === null ? `a tier (${tiers.join(', ')}) or the path of a JSON file` : `did you mean ${nearest}?`;
  return new UsageError(`cannot read the policy ${quote(path)}: ${describeError(cause)}`, { hint, cause });
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readBytes(path);
  } catch (cause) {
    throw cause instanceof UsageError ? cause : missing(path, cause);
  }
  if (bytes.length > largestFileBytes)
    throw new UsageError(`the policy ${quote(path)} is larger than ${largestFileBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError(`the policy ${quote(path)} is not UTF-8 text`, { cause });
  }
}

export function readPolicy(nameOrPath: string): ReadPolicy {
  const tier = tiers.find((name) => name === nameOrPath.toUpperCase());
  if (tier !== undefined) return { policy: tierPolicy(tier), notices: [] };
  return parsePolicy(parseJson(readText(nameOrPath), `the policy ${quote(nameOrPath)}`), nameOrPath);
}
