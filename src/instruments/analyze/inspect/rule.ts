import {
  type Evidence,
  type EvidenceClass,
  type Finding,
  findingId,
  type Location,
  type Severity,
} from '../../../base/finding-schema.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';

/**
 * A rule is a definition: what is looked for, why, and one example of either kind. The examples are run by the tests of
 * the folder that owns the rule, so what `--explain` prints is what the rule does.
 */
export interface Rule<Example = unknown> extends Omit<RuleText, 'fires' | 'silent'> {
  readonly fires: Example;
  readonly silent: Example;
}

export interface Claim {
  /** What makes this finding this one and does not change when lines move. */
  readonly identity: readonly string[];
  readonly title?: string;
  readonly severity?: Severity;
  readonly evidenceClass?: EvidenceClass;
  readonly cwe?: readonly string[];
  readonly locations?: readonly Location[];
  readonly evidence?: readonly Evidence[];
  readonly remediation?: string;
}

const longestTitle = 256;
const longestRemediation = 2048;

/** Titles are shown to people on one line; what a target put into one is cut and cleaned. */
export function oneLine(text: string, most = longestTitle): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1)}…`;
}

/** Static and textual evidence is a hint (class D) unless the claim says that it is an unknown (class U). */
export function makeFinding(rule: Rule, claim: Claim): Finding {
  return {
    id: findingId(rule.id, claim.identity),
    rule: rule.id,
    title: oneLine(claim.title ?? rule.title),
    severity: claim.severity ?? rule.severity,
    axis: rule.axis,
    evidenceClass: claim.evidenceClass ?? 'D',
    cwe: [...(claim.cwe ?? rule.cwe)],
    owasp: [...rule.owasp],
    locations: [...(claim.locations ?? [])],
    evidence: [...(claim.evidence ?? [])],
    remediation: (claim.remediation ?? rule.remediation).slice(0, longestRemediation),
  };
}

const longestExcerptBytes = 2048;

/** An excerpt of a target, cut at a length that a report can bear and never inside a character. */
export function excerpt(text: string, mostBytes = longestExcerptBytes): Evidence['excerpt'] {
  const wellFormed = text.toWellFormed();
  const bytes = Buffer.from(wellFormed, 'utf8');
  if (bytes.length <= mostBytes) return { text: wellFormed };
  const kept = new TextDecoder('utf-8').decode(bytes.subarray(0, mostBytes), { stream: true });
  return { text: kept, droppedBytes: bytes.length - Buffer.byteLength(kept) };
}
