import { isObject } from '../../../base/json-shape.ts';
import { kibibyte } from '../../../base/limits.ts';
import type { RuleHit } from '../contract.ts';
import { codeOf } from './faults.ts';

/** A refusal as the sender is told: a JSON-RPC error that says which rule, and what a person can do. */

const longestDetails = 32 * kibibyte;

function detailsOf({ details }: RuleHit): unknown {
  if (!isObject(details)) return {};
  const text = JSON.stringify(details);
  return text.length <= longestDetails ? details : { isCut: true };
}

/** `rawId` is the id as it was written: a number that JavaScript would round comes back as it came. */
export function refusalText(rawId: string | null, hit: RuleHit): string {
  const { rule, title, what, remedy } = hit;
  const error = {
    code: codeOf(rule),
    message: `Hotcell refused this (${rule}): ${what}. ${remedy}`,
    data: { rule, title, remedy, details: detailsOf(hit) },
  };
  return `{"jsonrpc":"2.0","id":${rawId ?? 'null'},"error":${JSON.stringify(error)}}`;
}
