import { exitCodes } from '../../../base/errors.ts';
import type { Probe } from '../../../instruments/probe/probe.ts';
import { type ProbeFlags, readProbeOptions } from '../../settings/index.ts';
import type { LedgerEntry } from '../../tools/contract.ts';
import { openToolLedger } from '../../tools/open-tool-ledger.ts';
import { openToolProbe } from '../../tools/open-tool-probe.ts';
import { untilInterrupted } from '../analyze/interruptible.ts';
import type { Door } from '../definition.ts';
import { type EndingSignal, exitCodeOf } from '../interrupts.ts';

/** Probe and the ledger for one command, both closed with it. */

export interface ProbeDesk {
  readonly probe: Probe;
  readonly record: (entry: LedgerEntry) => Promise<void>;
  readonly signal: AbortSignal;
}

/** What a command ends with that was told to end: a scan that had not begun throws what it was told. */
export function codeWhenEnded(error: unknown, signal: AbortSignal, received: EndingSignal | null): number {
  if (!signal.aborted || error !== signal.reason) throw error;
  return received === null ? exitCodes.incomplete : exitCodeOf(received);
}

/** What went wrong first is what happened; what also failed while it was put away is not. */
export function firstFailure(error: unknown): unknown {
  return error instanceof SuppressedError ? firstFailure(error.suppressed) : error;
}

export function withProbe(flags: ProbeFlags, door: Door, work: (desk: ProbeDesk) => Promise<number>): Promise<number> {
  const { caller, settings } = door;
  const options = readProbeOptions(flags, caller, settings);
  return untilInterrupted(door, async (signal, interrupts) => {
    await using ledger = openToolLedger(settings.values);
    await using opened = openToolProbe(options);
    const probe = await opened.open();
    const record = (entry: LedgerEntry): Promise<void> => ledger.record({ ...entry, toolset: 'probe' });
    const code = await work({ probe, record, signal }).catch((error: unknown) =>
      codeWhenEnded(error, signal, interrupts.received()),
    );
    const received = interrupts.received();
    return received === null ? code : exitCodeOf(received);
  }).catch((error: unknown) => {
    throw firstFailure(error);
  });
}
