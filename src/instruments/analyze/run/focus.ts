import type { Proof } from '../../../base/analysis-schema.ts';
import { UsageError } from '../../../base/errors.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Report, Subject } from '../../../base/report-schema.ts';
import type { ParsedTarget, StartedTarget } from '../../../targets/ingest/target/contract.ts';
import type { Focus } from './contract.ts';

/** Which part of a run is to be done again, and on exactly what. */

export interface Chosen {
  readonly subject: Subject;
  readonly finding: Finding;
}

export function chooseFinding({ subjects }: Report, wanted: string): Chosen {
  const all = subjects.flatMap((subject) => subject.findings.map((finding) => ({ subject, finding })));
  const [only, ...others] = all.filter(({ finding }) => wanted !== '' && finding.id.startsWith(wanted.toLowerCase()));
  if (only !== undefined && others.every(({ finding }) => finding.id === only.finding.id)) return only;
  const shown = JSON.stringify(wanted.slice(0, 64));
  if (only !== undefined) {
    const ids = [only, ...others].slice(0, 8).map(({ finding }) => finding.id);
    throw new UsageError(`${shown} fits ${others.length + 1} findings`, {
      hint: `write more of one of ${ids.join(', ')}`,
    });
  }
  const ids = all.slice(0, 8).map(({ finding }) => finding.id.slice(0, 8));
  throw new UsageError(`the report has no finding ${shown}`, {
    hint:
      ids.length === 0 ? 'it has none at all' : `it has ${ids.join(', ')}${all.length > ids.length ? ' and more' : ''}`,
  });
}

export interface Replayable {
  readonly proof: Proof;
  readonly focus: Focus;
}

export function focusOf({ subject, finding }: Chosen): Replayable {
  const proof = subject.analysis?.proofs.find((each) => each.finding === finding.id);
  if (proof?.replay !== undefined) {
    const { replay } = proof;
    const focus: Focus =
      replay.kind === 'trial'
        ? { kind: 'trial', trial: replay.trial }
        : { kind: 'phase', phase: replay.phase, variant: replay.variant };
    return { proof, focus };
  }
  const isStatic = finding.evidenceClass === 'D' || subject.analysis === undefined;
  throw new UsageError(
    isStatic
      ? `${finding.id} was found by reading and not by running: there is nothing to do again`
      : `${finding.id} is about the run as a whole: no single call or phase shows it`,
    { hint: isStatic ? 'hotcell scan TARGET reads it again' : 'hotcell analyze TARGET runs all of it again' },
  );
}

type Resolved = NonNullable<Subject['target']['resolved']>;

function pinStarted(target: StartedTarget, { name, version }: Resolved): StartedTarget {
  if (target.kind === 'npm' && target.name === name) return { ...target, wanted: { is: 'version', value: version } };
  if (target.kind === 'pypi' && target.name === name.toLowerCase().replace(/[-_.]+/g, '-')) {
    return { ...target, specifier: `==${version}` };
  }
  // A package in a repository has a version of its own; only a commit says which files were meant.
  if (target.kind === 'git' && /^[0-9a-f]{40}$/.test(version)) return { ...target, ref: version };
  return target;
}

/** The same version again, whatever has been published since. */
export function pinTarget(target: ParsedTarget, resolved: Resolved | undefined): ParsedTarget {
  if (resolved === undefined) return target;
  return target.kind === 'command'
    ? { ...target, starts: pinStarted(target.starts, resolved) }
    : pinStarted(target, resolved);
}
