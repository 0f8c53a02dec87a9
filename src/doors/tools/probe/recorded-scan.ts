import type { ScannerDefinition } from '../../../instruments/probe/contract.ts';
import type { Probe, ScanCall } from '../../../instruments/probe/probe.ts';
import type { KeptScan } from '../../../instruments/probe/results/keep.ts';
import type { LedgerEntry } from '../contract.ts';

/** One scan with what the ledger is told of it: before anything is sent, and when it has ended. */

export interface RecordedCall extends ScanCall {
  readonly record: (entry: LedgerEntry) => Promise<void>;
}

export async function recordedScan(
  probe: Probe,
  scanner: ScannerDefinition,
  input: Readonly<Record<string, unknown>>,
  { record, ...call }: RecordedCall,
): Promise<KeptScan> {
  const { name: scope, fingerprint } = probe.scope;
  const { label: target } = probe.aim(scanner, input);
  const about = { tool: scanner.name, policy: fingerprint };
  const by = probe.options.networkLayer;
  await record({ ...about, what: 'scan', action: 'probe.scan', details: { target, scope, fingerprint, by } });
  const kept = await probe.scan(scanner, input, call);
  const { id, status, findings, network } = kept.result;
  const counts = { findings: findings.length, refused: network.refused.length };
  await record({
    ...about,
    what: 'result',
    action: 'probe.result',
    details: { target, fingerprint, id, status, ...counts },
  });
  return kept;
}
