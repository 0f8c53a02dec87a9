import { forTerminal } from '../../../base/untrusted.ts';
import { asUntrusted } from '../../../evidence/excerpt.ts';
import type { RunDifference } from './contract.ts';
import { isGraver } from './findings.ts';

/** When a second run is worse than the first, one line per reason. Wanting more permissions alone is not. */

type Parts = Pick<RunDifference, 'verdict' | 'tools' | 'behaviour' | 'findings'>;
type Band = NonNullable<RunDifference['verdict']>['band']['before'];

/** Not knowing is worse than passing, and better than a warning. */
const bandRanks: Readonly<Record<Band, number>> = { passes: 0, unknown: 1, warns: 2, fails: 3 };

const mostReasons = 64;
const mostBytes = 200;

function shown(value: RunDifference['tools']['added'][number]['name']): string {
  return forTerminal(asUntrusted(value, mostBytes));
}

const reasons: readonly ((parts: Parts) => readonly string[])[] = [
  ({ verdict }) =>
    verdict !== null && bandRanks[verdict.band.after] > bandRanks[verdict.band.before]
      ? [`the verdict went from ${verdict.band.before} to ${verdict.band.after}`]
      : [],
  ({ findings }) =>
    findings.new
      .filter(({ severity }) => severity !== 'info')
      .map(({ severity, title }) => `new finding (${severity}): ${title}`),
  ({ findings }) =>
    findings.changed.filter(isGraver).map(({ finding, before }) => {
      const now = `${finding.severity}, class ${finding.evidenceClass}`;
      return `graver than before (${now}; was ${before.severity}, class ${before.evidenceClass}): ${finding.title}`;
    }),
  ({ behaviour }) =>
    behaviour.hosts.new
      .filter(({ isDeclared, leaks }) => !isDeclared || leaks > 0)
      .map(({ host, leaks }) => `contacts ${shown(host)}, which ${leaks > 0 ? 'received bait' : 'nothing declares'}`),
  ({ behaviour }) =>
    behaviour.files.new.flatMap(({ is, access, path }) =>
      is === 'decoy' && path !== null ? [`${access}s bait: ${shown(path)}`] : [],
    ),
  ({ tools }) =>
    tools.changed
      .filter(({ fields, difference }) => fields.includes('contradicted') && addsContradiction(difference))
      .map(({ name }) => `the tool ${shown(name)} now does what its annotations deny`),
];

function addsContradiction(difference: Parts['tools']['changed'][number]['difference']): boolean {
  // The last field of a tool, so that no line of its description is taken for the heading.
  const from = difference.findLastIndex(({ text }) => 'text' in text && text.text === 'contradicted:');
  return from >= 0 && difference.slice(from).some(({ is }) => is === 'added');
}

/** Names and titles are cut to what a line holds. */
export function worseBecause(parts: Parts): string[] {
  return reasons
    .flatMap((reason) => reason(parts))
    .slice(0, mostReasons)
    .map((line) => line.slice(0, 512));
}
