import { randomBytes } from 'node:crypto';
import type { LedgerEntry } from '../../engine/ledger/contract.ts';
import type { Ledger } from '../../engine/ledger/index.ts';
import { ledgerOptions } from '../settings/index.ts';
import type { RecordedEntry } from './contract.ts';

/** The ledger of this home, for whatever a door does. It is opened by the first entry, and made if there is none. */

export interface ToolLedger extends AsyncDisposable {
  /** Resolves when the entry is on the disk, and rejects with a HostError otherwise. */
  readonly record: (entry: RecordedEntry) => Promise<void>;
  /** The same for what is no tool. */
  readonly append: (entry: Omit<LedgerEntry, 'session'>) => Promise<void>;
  close(): Promise<void>;
}

function hashAll(secrets: RecordedEntry['secrets'], ledger: Ledger): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(secrets ?? {}).map(([name, value]) => [name, ledger.hashSecret(value)]));
}

function entryOf(recorded: RecordedEntry, ledger: Ledger): Omit<LedgerEntry, 'session'> {
  const { tool, toolset, what, details, secrets, action = 'tool.call', verdict = 'allowed', ...rest } = recorded;
  return {
    ...rest,
    instrument: toolset,
    action,
    verdict,
    details: { tool, what, ...details, ...hashAll(secrets, ledger) },
  };
}

export function openToolLedger(
  settings: Parameters<typeof ledgerOptions>[0],
  session = `door-${randomBytes(8).toString('hex')}`,
): ToolLedger {
  let opening: Promise<Ledger> | null = null;
  const open = (): Promise<Ledger> => {
    opening ??= import('../../engine/ledger/index.ts').then((module) => module.Ledger.open(ledgerOptions(settings)));
    return opening;
  };
  const close = async (): Promise<void> => {
    const opened = await opening?.catch(() => null);
    opening = null;
    await opened?.close();
  };
  return {
    async record(recorded) {
      const ledger = await open();
      await ledger.append({ ...entryOf(recorded, ledger), session });
    },
    async append(entry) {
      await (await open()).append({ ...entry, session });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
