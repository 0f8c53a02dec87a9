import type { Analysis } from '../../../base/analysis-schema.ts';
import { axes } from '../../../base/finding-schema.ts';
import type { Report, Subject } from '../../../base/report-schema.ts';
import { diffPolicies } from '../../../engine/policy/index.ts';
import { describeTarget } from '../../../evidence/words.ts';
import { compareBehaviour } from './behaviour.ts';
import { differenceVersion, type RunDifference, type RunSide } from './contract.ts';
import { compareFindings } from './findings.ts';
import { cut, type LeaveOut } from './lists.ts';
import { compareTools } from './tools.ts';
import { worseBecause } from './worse.ts';

/** Two runs beside each other: what the second says that the first did not, and the other way round. */

const noSubject: Subject = { target: { kind: 'none', spec: 'nothing' }, findings: [], suppressed: [], checks: [] };

function subjectOf({ subjects: [first] }: Report): Subject {
  return first ?? noSubject;
}

function isWhole({ isComplete, subjects: [subject] }: Report): boolean {
  return isComplete && (subject?.analysis?.completeness.isComplete ?? true);
}

function sideOf(report: Report): RunSide {
  const subject = subjectOf(report);
  const { spec, resolved } = subject.target;
  return {
    title: describeTarget(subject),
    name: resolved?.name ?? spec,
    version: resolved?.version ?? null,
    startedAt: report.startedAt,
    isAnalysed: subject.analysis !== undefined,
    isComplete: isWhole(report),
  };
}

function compareVerdicts([before, after]: readonly [Analysis, Analysis]): NonNullable<RunDifference['verdict']> {
  const [first, second] = [before.verdict, after.verdict];
  const changed = axes.flatMap((axis) => {
    const [earlier, later] = [first.axes[axis].label, second.axes[axis].label];
    return earlier === later ? [] : [{ axis, before: earlier, after: later }];
  });
  return {
    isChanged: changed.length > 0 || first.band !== second.band || first.risk !== second.risk,
    band: { before: first.band, after: second.band },
    risk: { before: first.risk, after: second.risk },
    axes: changed,
  };
}

function comparePermissions(
  pair: readonly [Analysis, Analysis] | null,
  leaveOut: LeaveOut,
): RunDifference['permissions'] {
  const [before, after] = pair?.map(({ policy }) => policy) ?? [];
  if (before === undefined || before === null || after === undefined || after === null) return { new: [], gone: [] };
  return {
    new: cut(diffPolicies(before, after), 'permissions.new', leaveOut),
    gone: cut(diffPolicies(after, before), 'permissions.gone', leaveOut),
  };
}

function notesOn(before: Report, after: Report): string[] {
  const [first, second] = [sideOf(before), sideOf(after)];
  const several = [before, after].some(({ subjects }) => subjects.length > 1);
  const wasRun = (report: Report): boolean => subjectOf(report).analysis?.start.isStarted ?? true;
  return [
    ...(first.name === second.name ? [] : ['the two runs are about targets with different names']),
    ...(first.isAnalysed ? [] : ['in the first run the target was not started: only findings are compared']),
    ...(second.isAnalysed ? [] : ['in the second run the target was not started: only findings are compared']),
    ...(wasRun(before) ? [] : ['in the first run the target did not start']),
    ...(wasRun(after) ? [] : ['in the second run the target did not start']),
    ...(first.isComplete ? [] : ['the first run is not complete: what is new may have been there before']),
    ...(second.isComplete ? [] : ['the second run is not complete: what is gone may still be there']),
    ...(several ? ['a run has more than one target: the first of each is compared'] : []),
  ];
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value !== 'object' || value === null || Object.values(value).every(isEmpty);
}

export function compareRuns(before: Report, after: Report): RunDifference {
  const leftOut: Record<string, number> = {};
  const leaveOut: LeaveOut = (list, count) => {
    leftOut[list] = count;
  };
  const [first, second] = [subjectOf(before), subjectOf(after)];
  const pair = first.analysis && second.analysis ? ([first.analysis, second.analysis] as const) : null;
  const parts = {
    verdict: pair === null ? null : compareVerdicts(pair),
    tools: compareTools(pair, leaveOut),
    behaviour: compareBehaviour(pair, leaveOut),
    permissions: comparePermissions(pair, leaveOut),
    findings: compareFindings(
      { findings: first.findings, isComplete: isWhole(before) },
      { findings: second.findings, isComplete: isWhole(after) },
      leaveOut,
    ),
  };
  const { verdict, ...lists } = parts;
  const worse = worseBecause(parts);
  return {
    format: 'hotcell-difference',
    version: differenceVersion,
    before: sideOf(before),
    after: sideOf(after),
    isSame: isEmpty(lists) && verdict?.isChanged !== true,
    isWorse: worse.length > 0,
    worse,
    needsMore: parts.permissions.new.length > 0,
    ...parts,
    notes: notesOn(before, after),
    leftOut,
  };
}
