import { describeError, isKnownError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Aim, ScannerDefinition } from '../../../instruments/probe/contract.ts';
import type { Probe, ScanCall } from '../../../instruments/probe/probe.ts';
import type { KeptScan } from '../../../instruments/probe/results/keep.ts';
import type { LedgerEntry } from '../contract.ts';

/** One scan with what the ledger is told of it: before anything is sent, and when it has ended or was refused. */

type Record = (entry: LedgerEntry) => Promise<void>;
type Input = Readonly<{ [field: string]: unknown }>;

export interface RecordedCall extends ScanCall {
  readonly record: Record;
}

const safe = (text: unknown): string => forTerminal(untrusted(String(text), 500));

/** Where it would go; what is out of scope stands in the ledger too, for somebody has asked for it. */
export async function recordedAim(
  probe: Probe,
  scanner: ScannerDefinition,
  input: Input,
  record: Record,
): Promise<Aim> {
  const { fingerprint } = probe.scope;
  try {
    return probe.aim(scanner, input);
  } catch (error) {
    if (isKnownError(error)) {
      const details = { target: safe(input[scanner.positional]), because: safe(describeError(error)), fingerprint };
      await record({
        ...{ tool: scanner.name, policy: fingerprint, details },
        ...{ what: 'refusal', action: 'probe.refuse', verdict: 'refused' },
      });
    }
    throw error;
  }
}

export async function recordedScan(
  probe: Probe,
  scanner: ScannerDefinition,
  input: Input,
  { record, ...call }: RecordedCall,
): Promise<KeptScan> {
  const { name: scope, fingerprint } = probe.scope;
  const { label: target } = await recordedAim(probe, scanner, input, record);
  const about = { tool: scanner.name, policy: fingerprint };
  const by = probe.options.networkLayer;
  await record({ ...about, what: 'scan', action: 'probe.scan', details: { target, scope, fingerprint, by } });
  const tellEnd = (details: Input): Promise<void> =>
    record({ ...about, what: 'result', action: 'probe.result', details: { target, fingerprint, ...details } });
  let kept: KeptScan;
  try {
    kept = await probe.scan(scanner, input, call);
  } catch (error) {
    await tellEnd({ status: call.signal.aborted ? 'cancelled' : 'failed', because: safe(describeError(error)) });
    throw error;
  }
  const { id, status, network } = kept.result;
  await tellEnd({ id, status, findings: kept.findings.length, refused: network.refused.length });
  return kept;
}
