import type { Finding } from '../../../base/finding-schema.ts';
import type { Check } from '../../../base/report-schema.ts';
import { inspectCapabilitiesApart } from '../inspect/capabilities/apart.ts';
import type { Inspected, Issue } from '../inspect/contract.ts';
import { inspectSecrets } from '../inspect/secrets/index.ts';
import { inspectTaint } from '../inspect/taint/inspect.ts';

/** What is found by reading the code of the target itself. */

export interface Looked {
  readonly findings: readonly Finding[];
  readonly checks: readonly Check[];
}

/** A check whose issues are told with it; some make its silence worthless, and then it is unknown. */
export function checkOf(
  id: string,
  title: string,
  facts: Check['facts'],
  problem: string | undefined = undefined,
): Check {
  return problem === undefined
    ? { id, title, is: 'done', facts }
    : { id, title, is: 'unknown', because: problem.slice(0, 1024), facts };
}

export function describeIssues(issues: readonly Issue[]): string | undefined {
  const [first] = issues;
  if (first === undefined) return undefined;
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : '';
  return `${first.path} ${first.problem}${more}`;
}

export async function lookAtFlows(inspected: Inspected): Promise<Looked> {
  const { findings, notAnalysed, handlers, analysed, skipped } = await inspectTaint(inspected);
  const lost = skipped.filter(({ reason }) => reason !== 'not-reached' && reason !== 'declarations');
  const problem =
    handlers.length === 0
      ? 'no handler of a tool, a resource or a prompt was found'
      : lost.length > 0
        ? `${lost.length} files could not be analysed`
        : notAnalysed.length > 0
          ? (notAnalysed[0]?.title ?? 'not everything was analysed')
          : undefined;
  const facts = { handlers: handlers.length, 'files analysed': analysed.length, 'files skipped': lost.length };
  return {
    findings: [...findings, ...notAnalysed],
    checks: [checkOf('flows', 'Flows from arguments to what acts on them', facts, problem)],
  };
}

export async function lookAtCapabilities(inspected: Inspected): Promise<Looked> {
  const { findings, issues, data } = await inspectCapabilitiesApart(inspected);
  const reached = data.capabilities.map(({ id }) => id).join(' ');
  const facts = { 'files analysed': data.analysedFiles, tools: data.tools.length, reaches: reached.slice(0, 1000) };
  return { findings, checks: [checkOf('capabilities', 'What the code can reach', facts, describeIssues(issues))] };
}

export function lookForSecrets(inspected: Inspected): Looked {
  const { findings, issues, data } = inspectSecrets(inspected);
  const facts = { files: data.scannedFiles };
  return { findings, checks: [checkOf('secrets', 'Secrets in code and settings', facts, describeIssues(issues))] };
}
