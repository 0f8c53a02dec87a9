import { evidenceClasses, type Finding, severities } from '../../../base/finding-schema.ts';
import { worstFirst } from '../../../base/report-schema.ts';
import type { FindingEntry, RunDifference } from './contract.ts';
import { cut, type LeaveOut } from './lists.ts';

/** Findings that came, went, or weigh differently now. */

type Findings = RunDifference['findings'];

export interface FoundIn {
  readonly findings: readonly Finding[];
  /** Whether what it did not find is not there. */
  readonly isComplete: boolean;
}

/** The same claim about the same place, where the id does not say so: a function was renamed, an advisory merged. */
function claimOf({ rule, locations, evidence }: Finding): string {
  const place = locations.at(-1)?.path ?? evidence.at(0)?.ref.replace(/\d+/g, '#') ?? '';
  return `${rule}\0${place}`;
}

function entryOf({ id, rule, title, severity, axis, evidenceClass }: Finding): FindingEntry {
  return { id, rule, title, severity, axis, evidenceClass };
}

interface Pairs {
  readonly pairs: readonly (readonly [Finding, Finding])[];
  readonly before: readonly Finding[];
  readonly after: readonly Finding[];
}

/** Pairs what has the same key, each finding once. */
function pairUp(before: readonly Finding[], after: readonly Finding[], key: (finding: Finding) => string): Pairs {
  const waiting = Map.groupBy(before, key);
  const pairs: [Finding, Finding][] = [];
  const rest = after.filter((finding) => {
    const partner = waiting.get(key(finding))?.shift();
    if (partner !== undefined) pairs.push([partner, finding]);
    return partner === undefined;
  });
  return { pairs, before: [...waiting.values()].flat(), after: rest };
}

function isSameGrade(before: Finding, after: Finding): boolean {
  return before.severity === after.severity && before.evidenceClass === after.evidenceClass;
}

export function compareFindings(before: FoundIn, after: FoundIn, leaveOut: LeaveOut): Findings {
  const byId = pairUp(worstFirst(before.findings), worstFirst(after.findings), ({ id }) => id);
  const byClaim = pairUp(byId.before, byId.after, claimOf);
  const pairs = [...byId.pairs, ...byClaim.pairs];
  const changed = pairs.filter(([first, second]) => !isSameGrade(first, second));
  const earlier = new Map(changed.map(([first, second]) => [second, first]));
  const gone = worstFirst(byClaim.before).map(entryOf);
  return {
    new: cut(worstFirst(byClaim.after).map(entryOf), 'findings.new', leaveOut),
    fixed: after.isComplete ? cut(gone, 'findings.fixed', leaveOut) : [],
    unknown: after.isComplete ? [] : cut(gone, 'findings.unknown', leaveOut),
    changed: cut(
      worstFirst([...earlier.keys()]).map((finding) => {
        const { severity, evidenceClass } = earlier.get(finding) ?? finding;
        return { finding: entryOf(finding), before: { severity, evidenceClass } };
      }),
      'findings.changed',
      leaveOut,
    ),
    same: pairs.length - changed.length,
  };
}

/** More severe, or better proven. */
export function isGraver({ finding, before }: Findings['changed'][number]): boolean {
  const rise = severities.indexOf(finding.severity) - severities.indexOf(before.severity);
  const proof = evidenceClasses.indexOf(before.evidenceClass) - evidenceClasses.indexOf(finding.evidenceClass);
  return rise > 0 || (rise === 0 && proof > 0);
}
