import type { Analysis } from '../../../base/analysis-schema.ts';
import { isComplete } from '../../../base/event-schema.ts';
import type { Axis, Finding } from '../../../base/finding-schema.ts';
import { type Check, type Report, reportVersion, type Subject, type Suppression } from '../../../base/report-schema.ts';
import { readRubric } from '../../../evidence/rubric.ts';
import type { Story } from '../../../evidence/story/index.ts';
import { judge } from '../../../evidence/verdict.ts';
import { excerpt } from '../inspect/rule.ts';
import type { Knowledge } from '../interrogate/arguments/index.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { coverageOf, notTriedOf } from './coverage.ts';
import type { Found } from './find.ts';
import { toolsOf } from './tools.ts';

/** Puts the report of one analysis together. */

export interface Composition {
  readonly target: Subject['target'];
  readonly startedAt: Date;
  readonly toolVersion: string;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppression[];
  readonly found: Found;
  readonly detonated: Detonated;
  readonly learnt: Pick<Analysis, 'policy' | 'refused'>;
  readonly story: Story;
  readonly knowledge: Knowledge;
  readonly folder: string;
}

const longestName = 256;
const needed = ['install', 'start', 'handshake', 'list', 'use', 'attack', 'stop'] as const;

/** A guess that was not tried is a limit of recognising, not of seeing. */
function areSensorsWhole({ completeness }: Detonated): boolean {
  const { untriedGuesses: _, ...cuts } = completeness.search ?? {};
  return completeness.sensors.every(isComplete) && Object.values(cuts).every((count) => count === 0);
}

/** Whether silence means something: it ran through all phases, and everything that looked at it saw everything. */
function isWhole(detonated: Detonated): boolean {
  const { start, phases } = detonated;
  return start.isStarted && areSensorsWhole(detonated) && needed.every((phase) => phases.includes(phase));
}

function phaseChecks(detonated: Detonated): readonly Check[] {
  const { start, installProblems, missing } = detonated;
  const check = (id: string, title: string, isDone: boolean, because: string): Check => ({
    id,
    title,
    is: isDone ? 'done' : 'unknown',
    ...(because === '' ? {} : { because: because.slice(0, 1024) }),
    facts: {},
  });
  return [
    check('run/install', 'Installing in the box', true, installProblems.join('; ')),
    check('run/start', 'Starting in the box', start.isStarted, start.isStarted ? '' : (start.guess ?? 'unknown')),
    check('run/sensors', 'Telemetry of the box', areSensorsWhole(detonated), ''),
    check('run/phases', 'All phases of the run', isWhole(detonated), missing.slice(0, 5).join('; ')),
  ];
}

/** Advisories that nobody could be asked for leave the axis of exposure open, and nothing else. */
function unknownAxes(checks: readonly Check[]): readonly Axis[] {
  return checks.some(({ is }) => is === 'unknown') ? ['exposure'] : [];
}

function withRepro(finding: Finding, found: Found, folder: string): Finding {
  const proof = found.proofs.find((each) => each.finding === finding.id);
  if (proof?.replay === undefined || finding.repro !== undefined) return finding;
  return { ...finding, repro: `hotcell replay ${folder} ${finding.id}` };
}

function analysisOf(composition: Composition): Analysis {
  const { detonated, findings, checks, knowledge, found, learnt, story } = composition;
  const { handshake, completeness } = detonated;
  const shown = new Set(findings.map(({ id }) => id));
  return {
    run: detonated.run,
    backend: detonated.backend,
    verdict: judge(findings, coverageOf(detonated, knowledge), isWhole(detonated), readRubric(), unknownAxes(checks)),
    start: detonated.start,
    server:
      handshake === null
        ? null
        : {
            name: excerpt(handshake.serverName, longestName),
            version: excerpt(handshake.serverVersion, longestName),
            protocol: excerpt(handshake.protocolVersion, longestName),
          },
    ...story,
    tools: toolsOf(detonated, found.behaviour),
    listings: detonated.listings.slice(0, 32),
    proofs: found.proofs.filter(({ finding }) => shown.has(finding)),
    ...learnt,
    completeness: { isComplete: areSensorsWhole(detonated), sensors: completeness.sensors },
    notTried: notTriedOf(detonated),
  };
}

export function compose(composition: Composition): Report {
  const { target, startedAt, toolVersion, checks, findings, suppressed, detonated, found, folder } = composition;
  const analysis = analysisOf(composition);
  const all = [...checks, ...phaseChecks(detonated)];
  return {
    format: 'hotcell-report',
    version: reportVersion,
    instrument: 'analyze',
    tool: { name: 'hotcell', version: toolVersion },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    isComplete: all.every(({ is }) => is !== 'unknown'),
    subjects: [
      {
        target,
        findings: findings.map((finding) => withRepro(finding, found, folder)),
        suppressed: [...suppressed],
        checks: all,
        analysis,
      },
    ],
  };
}
