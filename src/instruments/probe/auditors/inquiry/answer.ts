import type { AuditAnswer } from '../contract.ts';

/** Questions to an answer that may be anything. */

/** Undefined where it is no JSON, or only the beginning of one. */
export function jsonOf({ body, isCut }: AuditAnswer): unknown {
  if (isCut) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
