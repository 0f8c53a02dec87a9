import { type ExitCode, exitCodes } from '../../../base/errors.ts';
import type { Finding, Severity } from '../../../base/finding-schema.ts';
import { isAtLeast, type Report, type Subject } from '../../../base/report-schema.ts';

/** What an analysis ends with. */

export interface Gate {
  readonly failOn: Severity;
  /** Somebody wrote --fail-on: then hints count as well, for that is what they asked for. */
  readonly isExplicit: boolean;
  /** That no source of advisories could be asked is accepted. */
  readonly offlineOk: boolean;
}

function isBad({ severity, evidenceClass }: Finding, { failOn, isExplicit }: Gate): boolean {
  if (!isAtLeast(severity, failOn) || evidenceClass === 'U') return false;
  return isExplicit || evidenceClass === 'A' || evidenceClass === 'B';
}

/**
 * What reading could not answer, running did: of what was only read, advisories alone are asked for here, for no run
 * shows a vulnerability that somebody else knows of.
 */
function isWhole({ checks, analysis }: Subject, { offlineOk }: Gate): boolean {
  if (analysis === undefined || !analysis.start.isStarted) return false;
  if (!analysis.completeness.isComplete || !analysis.verdict.isComplete) return false;
  return offlineOk || checks.every(({ id, is }) => id !== 'advisories' || is !== 'unknown');
}

export function exitCodeFor(report: Report, gate: Gate, isInterrupted: boolean): ExitCode {
  if (isInterrupted) return exitCodes.incomplete;
  const { subjects } = report;
  const isFailing = subjects.some(
    ({ findings, analysis }) => analysis?.verdict.band === 'fails' || findings.some((finding) => isBad(finding, gate)),
  );
  if (isFailing) return exitCodes.findings;
  return subjects.length > 0 && subjects.every((subject) => isWhole(subject, gate))
    ? exitCodes.clean
    : exitCodes.incomplete;
}

/** Of several targets: what was found weighs more than what could not be done. */
const weightiest: readonly ExitCode[] = [
  exitCodes.findings,
  exitCodes.noIsolation,
  exitCodes.internal,
  exitCodes.usage,
  exitCodes.incomplete,
];

export function combineExitCodes(codes: readonly ExitCode[]): ExitCode {
  return weightiest.find((code) => codes.includes(code)) ?? exitCodes.clean;
}
