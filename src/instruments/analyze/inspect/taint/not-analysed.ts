import type { Finding } from '../../../../base/finding-schema.ts';
import { makeFinding } from '../rule.ts';
import type { SkippedFile, SourceTree, TaintResult } from './contract.ts';
import { notAnalysedRule } from './rules.ts';

/** Findings of class U: what nobody looked at is never silence. */

const mostPaths = 50;

function tell(identity: string, title: string, paths: readonly string[]): Finding {
  const locations = paths.slice(0, mostPaths).map((path) => ({ path }));
  return makeFinding(notAnalysedRule, { identity: [identity], title, evidenceClass: 'U', locations });
}

export interface Gaps {
  readonly handlers: number;
  readonly skipped: readonly SkippedFile[];
  /** Files, and handlers in them, at which the allowance ran out. */
  readonly incomplete: readonly string[];
}

export function notAnalysedFindings({ handlers, skipped, incomplete }: Gaps): Finding[] {
  const findings: Finding[] = [];
  if (handlers === 0)
    findings.push(
      tell('no-handler', 'No handler of a tool, resource or prompt was found: flows were not analysed', []),
    );
  const lost = skipped.filter(({ reason }) => reason !== 'not-reached' && reason !== 'declarations');
  for (const reason of new Set(lost.map((one) => one.reason))) {
    const paths = lost.filter((one) => one.reason === reason).map(({ path }) => path);
    findings.push(
      tell(
        reason,
        `${paths.length} source ${paths.length === 1 ? 'file was' : 'files were'} not analysed: ${reason}`,
        paths,
      ),
    );
  }
  if (incomplete.length > 0) {
    const title = `The work allowed ran out in ${incomplete.length} places: ${incomplete.slice(0, 3).join(', ')}`;
    findings.push(
      tell(
        'over-budget',
        title,
        incomplete.map((place) => place.replace(/ \(.*$/, '')),
      ),
    );
  }
  return findings;
}

/** The result when there is none. */
export function notAnalysedResult(tree: SourceTree, title: string): TaintResult {
  return {
    findings: [],
    notAnalysed: [tell('ended', title, [])],
    handlers: [],
    analysed: [],
    skipped: tree.files.map((path) => ({ path, reason: 'over-budget' })),
  };
}
