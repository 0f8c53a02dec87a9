import type { Policy } from '../../../base/policy-schema.ts';
import type { Report, Subject } from '../../../base/report-schema.ts';
import type { LedgerVerdict } from '../../../engine/ledger/contract.ts';
import { fingerprintPolicy } from '../../../engine/policy/index.ts';
import type { RecordedEntry } from '../contract.ts';
import { openToolLedger } from '../open-tool-ledger.ts';

/** What a run has said about each of its targets, for the ledger. */

const verdicts: Readonly<Record<string, LedgerVerdict>> = { passes: 'allowed', fails: 'refused' };

/** A command line or an address may hold a secret: then only its hash is told. */
function isHarmless(spec: string): boolean {
  return /^[\w@./:+~-]+$/.test(spec) && !/:\/\/[^/]*@/.test(spec);
}

function countBySeverity({ findings }: Subject): Readonly<Record<string, number>> {
  const groups = Object.groupBy(findings, ({ severity }) => severity);
  return Object.fromEntries(Object.entries(groups).map(([severity, all]) => [severity, all.length]));
}

export interface ReportFacts {
  readonly tool: string;
  readonly what: 'analyze' | 'scan' | 'replay';
  /** The one that the target ran under; none where it did not run. */
  readonly policy?: Policy;
}

export function entriesOf({ subjects, isComplete }: Report, { tool, what, policy }: ReportFacts): RecordedEntry[] {
  return subjects.map((subject) => {
    const { target, analysis } = subject;
    const band = analysis?.verdict.band ?? null;
    const learnt = analysis?.policy ?? null;
    return {
      tool,
      toolset: 'analyze',
      what,
      action: `${what}.end`,
      verdict: (band === null ? undefined : verdicts[band]) ?? 'noted',
      server: target.resolved?.name ?? (isHarmless(target.spec) ? target.spec.slice(0, 500) : target.kind),
      ...(policy === undefined ? {} : { policy: fingerprintPolicy(policy) }),
      details: {
        kind: target.kind,
        ...(isHarmless(target.spec) ? { target: target.spec } : {}),
        ...(target.resolved === undefined ? {} : { resolved: target.resolved }),
        band,
        risk: analysis?.verdict.risk ?? null,
        isComplete,
        findings: countBySeverity(subject),
        ...(learnt === null ? {} : { learntPolicy: fingerprintPolicy(learnt) }),
      },
      secrets: isHarmless(target.spec) ? {} : { target: target.spec },
    };
  });
}

/** Rejects when it could not be written: then nobody is told the verdict either. */
export async function recordReport(
  report: Report,
  settings: Parameters<typeof openToolLedger>[0],
  facts: ReportFacts,
): Promise<void> {
  await using ledger = openToolLedger(settings);
  for (const entry of entriesOf(report, facts)) await ledger.record(entry);
}
