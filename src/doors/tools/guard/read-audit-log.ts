import { existsSync } from 'node:fs';
import { UsageError } from '../../../base/errors.ts';
import { minuteMs } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { type ReadEntry, readEntries, type StoredEntry } from '../../../engine/ledger/index.ts';
import type { StoreHandle } from '../../../engine/store/index.ts';
import { type AuditOnly, openRegistry } from '../../../instruments/guard/registry/index.ts';
import { ledgerFolder } from '../../settings/index.ts';
import type { ToolContext } from '../contract.ts';
import { openGuardStoreIfThere } from './guard-store.ts';

export interface AuditLogInput {
  readonly subprocessHandle?: string | undefined;
  readonly since?: string | undefined;
  readonly limit: number;
  readonly staleEgressModeThresholdDays: number;
}

const dayMs = 24 * 60 * minuteMs;
const show = (text: string): string => forTerminal(untrusted(text));
const showOrNull = (text: string | undefined): string | null => (text === undefined ? null : show(text));

function showEntry({ entry, leaf }: ReadEntry) {
  const { sequence, at, instrument, action, verdict, session, server, policy, rule, details } = entry;
  return {
    sequence,
    at: at.wall,
    instrument,
    action: show(action),
    verdict,
    session: show(session),
    server: showOrNull(server),
    policy: showOrNull(policy),
    rule: showOrNull(rule),
    details: show(JSON.stringify(details ?? {})),
    leaf,
  };
}

/** By its handle where an entry has one, else by what the server is called. */
function isAbout(entry: StoredEntry, handle: string, serverId: string): boolean {
  const told = entry.details?.subprocessHandle;
  return typeof told === 'string' ? told === handle : entry.server === serverId;
}

/** Every mode that refuses nothing, and has done so for longer than it should. */
function staleModes(modes: readonly AuditOnly[], mostDays: number) {
  return modes
    .map(({ handle, serverId, mode, modeSetAt }) => ({
      subprocessHandle: handle,
      serverId,
      egressMode: mode,
      egressModeSetAt: modeSetAt,
      ageDays: Math.max(0, (Date.now() - Date.parse(modeSetAt)) / dayMs),
    }))
    .filter(({ ageDays }) => ageDays >= mostDays);
}

async function readSome(folder: string, input: AuditLogInput, serverId: string | null, signal: AbortSignal) {
  const { subprocessHandle: handle, since, limit } = input;
  const found: ReadEntry[] = [];
  if (!existsSync(folder)) return found;
  const isAll = handle === undefined || serverId === null;
  const filter = { newestFirst: true, ...(since === undefined ? {} : { since }), ...(isAll ? { limit } : {}) };
  for await (const read of readEntries(folder, filter)) {
    signal.throwIfAborted();
    if (isAll || isAbout(read.entry, handle, serverId)) found.push(read);
    if (found.length >= limit) break;
  }
  return found;
}

function serverOf(store: StoreHandle | null, handle: string | undefined): string | null {
  if (handle === undefined) return null;
  if (store === null) throw new UsageError(`no subprocess is registered as ${JSON.stringify(handle)}`);
  return openRegistry(store).get(handle).serverId;
}

export async function readAuditLog(input: AuditLogInput, { settings, signal, out }: ToolContext) {
  const { home } = settings.values;
  using store = openGuardStoreIfThere(home);
  const serverId = serverOf(store, input.subprocessHandle);
  const entries = await readSome(ledgerFolder(home), input, serverId, signal);
  const modes = store === null ? [] : openRegistry(store).auditOnly();
  const stale = staleModes(modes, input.staleEgressModeThresholdDays);
  out.say(`${entries.length} entries, the newest first.`);
  for (const { entry } of entries.slice(0, 50)) {
    const { sequence, at, action, verdict, server, rule } = entry;
    out.say([sequence, at.wall, verdict, action, server ?? '', rule ?? ''].join(' ').trim());
  }
  for (const { subprocessHandle, ageDays } of stale) {
    out.say(`Warning: the egress of ${subprocessHandle} has been audit-only for ${ageDays.toFixed(1)} days.`);
  }
  return { entries: entries.map(showEntry), staleEgressModeWarnings: stale };
}
