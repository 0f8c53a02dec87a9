import type { Event } from '../../base/event-schema.ts';
import {
  type Axis,
  type Evidence,
  type EvidenceClass,
  type Finding,
  findingId,
  type Severity,
} from '../../base/finding-schema.ts';
import { commandOf } from '../../engine/sensor/history/index.ts';
import type { RuleText } from '../rule-text.ts';

/** A finding about behaviour: what was seen, as events that can be looked up. */

export interface BehaviourClaim {
  /** What makes it this one in every run: no pids, no times, no positions. */
  readonly identity: readonly string[];
  readonly title: string;
  readonly evidenceClass: EvidenceClass;
  readonly severity?: Severity;
  readonly axis?: Axis;
  readonly attack?: readonly string[];
  readonly evidence: readonly Evidence[];
}

const longestTitle = 256;
const longestExcerpt = 1024;
export const mostEvidence = 8;

/** On one line, with nothing in it that cannot be seen. */
export function plainLine(text: string, most = longestTitle): string {
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`;
}

export function behaviourFinding(rule: RuleText, claim: BehaviourClaim): Finding {
  const { identity, title, evidenceClass, severity = rule.severity, axis = rule.axis, attack, evidence } = claim;
  return {
    id: findingId(rule.id, identity),
    rule: rule.id,
    title: plainLine(title) || rule.title,
    severity,
    axis,
    evidenceClass,
    cwe: [...rule.cwe],
    owasp: [...rule.owasp],
    ...(attack === undefined ? {} : { attack: [...attack] }),
    locations: [],
    evidence: evidence.slice(0, mostEvidence),
    remediation: rule.remediation,
  };
}

/** What happened, when, and who did it. */
export function eventEvidence(event: Event, what: string): Evidence {
  const { seq, phase, call, process } = event;
  const command = commandOf(event);
  const who = process === undefined ? '' : ` by pid ${process.pid}${command === null ? '' : ` (${command})`}`;
  const when = call === undefined ? phase : `${phase}, ${call}`;
  return {
    kind: 'event',
    ref: `event:${seq}`,
    excerpt: { text: plainLine(`${what}${who} [${when}]`, longestExcerpt) },
  };
}
