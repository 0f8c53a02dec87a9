import type { Probe } from '../../../instruments/probe/probe.ts';
import { type ProbeFlags, readProbeOptions } from '../../settings/index.ts';
import type { LedgerEntry } from '../../tools/contract.ts';
import { openToolLedger } from '../../tools/open-tool-ledger.ts';
import { openToolProbe } from '../../tools/open-tool-probe.ts';
import { untilInterrupted } from '../analyze/interruptible.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf } from '../interrupts.ts';

/** Probe and the ledger for one command, both closed with it. */

export interface ProbeDesk {
  readonly probe: Probe;
  readonly record: (entry: LedgerEntry) => Promise<void>;
  readonly signal: AbortSignal;
}

export function withProbe(flags: ProbeFlags, door: Door, work: (desk: ProbeDesk) => Promise<number>): Promise<number> {
  const { caller, settings } = door;
  const options = readProbeOptions(flags, caller, settings);
  return untilInterrupted(door, async (signal, interrupts) => {
    await using ledger = openToolLedger(settings.values);
    await using opened = openToolProbe(options);
    const probe = await opened.open();
    const record = (entry: LedgerEntry): Promise<void> => ledger.record({ ...entry, toolset: 'probe' });
    const code = await work({ probe, record, signal });
    const received = interrupts.received();
    return received === null ? code : exitCodeOf(received);
  });
}
