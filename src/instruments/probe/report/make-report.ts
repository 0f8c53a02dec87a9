import type { Finding } from '../../../base/finding-schema.ts';
import { type Check, type Report, reportVersion, type Subject, worstFirst } from '../../../base/report-schema.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';
import type { ScanStatus } from '../contract.ts';
import type { KeptScan } from '../results/keep.ts';

/** Scans as a report: one subject per host, one check per scan, and the same finding of two scans once. */

const shortfalls: Readonly<Record<Exclude<ScanStatus, 'completed'>, string>> = {
  timed_out: 'its time was up before its end',
  cancelled: 'it was cancelled before its end',
  error: 'it ended with an error',
};

function checkOf({ result, findings }: KeptScan): Check {
  const { tool, id, target, status, network, notes, scope, elapsed_ms: elapsed } = result;
  const problems = status === 'completed' ? [] : [shortfalls[status], ...notes];
  return {
    id: `${tool}-${id}`.slice(0, 96),
    title: `${tool} of ${target}`.slice(0, 256),
    is: problems.length === 0 ? 'done' : 'unknown',
    ...(problems.length === 0 ? {} : { because: problems.join('; ').slice(0, 1024) }),
    facts: {
      findings: findings.length,
      seconds: Math.round(elapsed / 100) / 10,
      network: network.by,
      ...(network.connections === null ? {} : { connections: network.connections }),
      ...(network.requests === null ? {} : { requests: network.requests }),
      refused: network.refused.length,
      scope: scope.fingerprint,
    },
  };
}

function joinFindings(scans: readonly KeptScan[]): Finding[] {
  const byId = new Map<string, Finding>();
  for (const { findings } of scans)
    for (const finding of findings) if (!byId.has(finding.id)) byId.set(finding.id, finding);
  return worstFirst([...byId.values()]);
}

/** A scanner that is not on this machine was never going to look, and its silence says nothing. */
function checkOfMissing({ scanner, because }: MissingScanner): Check {
  return {
    id: scanner,
    title: `${scanner} of this host`,
    is: 'not-applicable',
    because: because.slice(0, 1024),
    facts: {},
  };
}

export interface MissingScanner {
  readonly scanner: string;
  readonly because: string;
}

export function makeReport(
  scans: readonly KeptScan[],
  version: string,
  missing: readonly MissingScanner[] = [],
): Report {
  const hosts = Map.groupBy(scans, ({ host }) => host);
  const subjects = [...hosts].map(
    ([host, ofHost]): Subject => ({
      target: { kind: 'api', spec: host },
      findings: joinFindings(ofHost),
      suppressed: [],
      checks: [...ofHost.map(checkOf), ...missing.map(checkOfMissing)],
    }),
  );
  const starts = scans.map(({ result }) => Date.parse(result.started));
  const ends = scans.map(({ result }) => Date.parse(result.started) + result.elapsed_ms);
  const from = Math.min(...starts, Date.now());
  return {
    format: 'hotcell-report',
    version: reportVersion,
    instrument: 'probe',
    tool: { name: 'hotcell', version },
    startedAt: new Date(from).toISOString(),
    durationMs: Math.max(0, Math.max(...ends, from) - from),
    isComplete: scans.length > 0 && scans.every(({ result }) => result.status === 'completed'),
    subjects,
  };
}

/**
 * After a colon our titles have what one finding is about (a place, a name that the target chose); the rule is about all
 * of them. Titles of templates are the words of their authors.
 */
function titleOfRule({ rule, title }: Finding): string {
  return rule.startsWith('nuclei/') ? title : (title.split(': ')[0] ?? title);
}

/** Rules of scanners come with their findings: templates of others are not ours to list. */
export function ruleTextsOf({ subjects }: Report): readonly RuleText[] {
  const byRule = new Map(
    subjects.flatMap(({ findings }) => findings.map((finding) => [finding.rule, finding] as const)),
  );
  const ofRules = [...byRule.values()].map((finding) => ({
    ...finding,
    title: titleOfRule(finding),
  }));
  return ofRules.map(({ rule, title, severity, axis, cwe, owasp, remediation, locations }) => ({
    id: rule,
    title,
    severity,
    axis,
    cwe,
    owasp,
    what: `${title}.`,
    why: 'A scanner of probe said so; the finding has the request and the answer.',
    remediation,
    fires: locations[0]?.path ?? title,
    silent: '',
  }));
}
