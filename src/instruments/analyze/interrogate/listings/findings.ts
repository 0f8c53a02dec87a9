import {
  type Evidence,
  type EvidenceClass,
  type Finding,
  findingId,
  type Severity,
} from '../../../../base/finding-schema.ts';
import { forJson, forTerminal, untrusted } from '../../../../base/untrusted.ts';
import type { RuleText } from '../../../../evidence/rule-text.ts';
import {
  type ListingChange,
  type ListingDifference,
  type Weight,
  weights,
} from '../../../../targets/listings/compare.ts';
import { changes, grows, unpinned, updated, varies } from './rules.ts';

/** From listings that differ to findings. One finding per cause, with what differs as its evidence. */

export type CauseKind =
  | 'client'
  | 'ci'
  | 'clock'
  /** Several circumstances together, where none of them alone makes the difference. */
  | 'several'
  /** Calls were made in between. */
  | 'calls'
  /** Nothing at all was done in between. */
  | 'repeat'
  /** What was remembered of the same version. */
  | 'same-version'
  | 'new-version';

export interface Cause {
  readonly kind: CauseKind;
  /** In words, to go after "differs when asked", such as `as the client cursor`. */
  readonly title: string;
  /** The server said that its list had changed, as the protocol wants. */
  readonly isAnnounced?: boolean;
}

/** One listing that was compared, and under which id a report has it. */
export interface ComparedListing {
  readonly id: string;
  readonly title: string;
  readonly difference: ListingDifference;
}

interface Grade {
  readonly rule: RuleText;
  readonly severity: Severity;
  readonly evidenceClass: EvidenceClass;
}

const told: Grade = { rule: varies, severity: 'info', evidenceClass: 'D' };

const changed = (severity: Severity): Grade => ({ rule: changes, severity, evidenceClass: 'B' });
const grown = (severity: Severity, evidenceClass: EvidenceClass): Grade => ({ rule: grows, severity, evidenceClass });

/** Read by weight; the second column of `additions` and `changes` is for what the server announced. */
interface Grades {
  readonly changes: readonly [Grade, Grade];
  readonly additions: readonly [Grade, Grade];
}

function always(grade: Grade): readonly [Grade, Grade] {
  return [grade, grade];
}

const grades: Readonly<Record<CauseKind, Grades>> = {
  client: { changes: always(changed('high')), additions: always(grown('medium', 'C')) },
  ci: { changes: always(changed('medium')), additions: always(grown('medium', 'C')) },
  clock: { changes: always(changed('high')), additions: always(grown('high', 'B')) },
  several: { changes: always(changed('high')), additions: always(grown('medium', 'C')) },
  calls: { changes: always(changed('high')), additions: [grown('medium', 'C'), grown('low', 'C')] },
  // A list that grows while a server is still starting up is announced.
  repeat: { changes: always(changed('high')), additions: [grown('high', 'B'), grown('low', 'C')] },
  'same-version': {
    changes: always({ rule: unpinned, severity: 'high', evidenceClass: 'B' }),
    additions: always({ rule: unpinned, severity: 'high', evidenceClass: 'B' }),
  },
  'new-version': {
    changes: always({ rule: updated, severity: 'low', evidenceClass: 'D' }),
    additions: always({ rule: updated, severity: 'info', evidenceClass: 'D' }),
  },
};

function gradeOf({ kind, isAnnounced = false }: Cause, weight: Exclude<Weight, 'none'>): Grade {
  return weight === 'values' ? told : grades[kind][weight][isAnnounced ? 1 : 0];
}

const guarded: readonly CauseKind[] = ['client', 'ci', 'clock', 'several'];

const mostEvidence = 16;
const excerptBytes = 4096;

function excerptOf(text: string): Evidence['excerpt'] {
  const kept = untrusted(text, excerptBytes);
  return kept.droppedBytes > 0 ? { ...forJson(kept), droppedBytes: kept.droppedBytes } : forJson(kept);
}

const marks = { removed: '-', added: '+', same: ' ' } as const;

function differenceText({ difference }: ListingDifference): string {
  return difference
    .map(({ is, text }) => `${marks[is]} ${'text' in text ? text.text : `base64 ${text.base64}`}`)
    .join('\n');
}

function shown(name: string): string {
  return forTerminal(untrusted(name, 128));
}

function describe({ is, kind, name, fields }: ListingChange): string {
  const what = kind === 'instructions' ? 'instructions' : `${kind} ${shown(name)}`;
  return is === 'changed' ? `${what}: another ${fields.join(', ')}` : `${what}: ${is === 'added' ? 'new' : 'gone'}`;
}

function evidenceOf({ id, difference }: ComparedListing): Evidence[] {
  return [
    { kind: 'response', ref: `listing ${id}`, excerpt: excerptOf(differenceText(difference)) },
    ...difference.changes.slice(0, mostEvidence - 1).map((change): Evidence => {
      const ref = change.kind === 'instructions' ? 'instructions' : `${change.kind} ${shown(change.name)}`;
      return { kind: 'metadata', ref, excerpt: excerptOf(describe(change)) };
    }),
  ];
}

function weightOf(difference: ListingDifference): Exclude<Weight, 'none'> | null {
  return difference.weight === 'none' ? null : difference.weight;
}

/**
 * `compared` are all listings that differ for this cause; the gravest decides, since the same text twice is one finding.
 * Its id has the rule, the kind of cause and what changed in it, and no text that could vary from run to run.
 */
export function listingFindings(compared: readonly ComparedListing[], cause: Cause): Finding[] {
  const byRule = new Map<string, { readonly grade: Grade; readonly listing: ComparedListing }>();
  const gravestFirst = compared.toSorted(
    (left, right) => weights.indexOf(right.difference.weight) - weights.indexOf(left.difference.weight),
  );
  for (const listing of gravestFirst) {
    const weight = weightOf(listing.difference);
    if (weight === null) continue;
    const grade = gradeOf(cause, weight);
    if (!byRule.has(grade.rule.id)) byRule.set(grade.rule.id, { grade, listing });
  }
  // What only varies is not worth a line beside a real change.
  const worth = [...byRule.values()].filter(({ grade }) => grade !== told || byRule.size === 1);
  return worth.map(({ grade: { rule, severity, evidenceClass }, listing }): Finding => {
    const names = listing.difference.changes.map(({ kind, name }) => `${kind} ${name}`);
    return {
      id: findingId(rule.id, [cause.kind, ...new Set(names)]),
      rule: rule.id,
      title: `${rule.title}: ${cause.title}`.slice(0, 256),
      severity,
      axis: rule.axis,
      evidenceClass,
      cwe: [...rule.cwe],
      owasp: [...rule.owasp],
      // Execution guardrails: it acts only where it believes to be where it wants to be.
      ...(guarded.includes(cause.kind) && severity !== 'info' ? { attack: ['T1480'] } : {}),
      locations: [],
      evidence: evidenceOf(listing),
      remediation: rule.remediation,
    };
  });
}
