import { exitCodes } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { followEntries, type ReadEntry, type ReadFilter, readEntries } from '../../../engine/ledger/index.ts';
import type { Door } from '../definition.ts';
import { withInterrupts } from '../interrupts.ts';
import type { Style } from '../terminal/index.ts';
import { type LedgerPlace, ledgerFolder } from './place.ts';
import { sinceTime } from './since.ts';

export interface LogWishes extends LedgerPlace {
  readonly since?: string | undefined;
  readonly server?: string | undefined;
  readonly verdict?: ReadFilter['verdict'] | undefined;
  readonly action?: string | undefined;
  readonly session?: string | undefined;
  readonly limit: number;
  readonly follow: boolean;
  readonly json: boolean;
}

const shownDetails = 200;

/** Names of servers and tools are words of strangers. */
function safe(text: string, most = 200): string {
  return forTerminal(untrusted(text, most));
}

const tones: Readonly<Record<string, keyof Style>> = {
  allowed: 'good',
  refused: 'bad',
  changed: 'warn',
  noted: 'faint',
};

export function logLine({ entry }: ReadEntry, style: Style): string {
  const { sequence, at, verdict, action, instrument, server, rule, details } = entry;
  const tone = style[tones[verdict] ?? 'faint'];
  const words = [
    style.faint(String(sequence).padStart(6)),
    style.faint(safe(at.wall, 40)),
    tone(verdict.padEnd(7)),
    `${instrument} ${style.strong(safe(action))}`,
    ...(server === undefined ? [] : [safe(server)]),
    ...(rule === undefined ? [] : [style.warn(safe(rule))]),
    ...(details === undefined ? [] : [style.faint(safe(JSON.stringify(details), shownDetails))]),
  ];
  return `${words.join('  ')}\n`;
}

function filterOf(wishes: LogWishes): Omit<ReadFilter, 'limit' | 'newestFirst'> {
  const { since, server, verdict, action, session } = wishes;
  return {
    ...(since === undefined ? {} : { since: sinceTime(since, new Date()) }),
    ...(server === undefined ? {} : { server }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(action === undefined ? {} : { action }),
    ...(session === undefined ? {} : { session }),
  };
}

/** The newest entries, the oldest of them first; then, on request, what comes. */
export async function showLog(wishes: LogWishes, door: Door): Promise<number> {
  const folder = ledgerFolder(wishes, door);
  const filter = filterOf(wishes);
  const show = (found: ReadEntry): void => {
    door.stdout.write(wishes.json ? `${JSON.stringify(found.entry)}\n` : logLine(found, door.terminal.style));
  };
  const newest: ReadEntry[] = [];
  for await (const found of readEntries(folder, { ...filter, limit: wishes.limit, newestFirst: true })) {
    newest.push(found);
  }
  for (const found of newest.toReversed()) show(found);
  if (!wishes.follow) {
    if (newest.length === 0 && !wishes.json) door.stderr.write('no entry fits\n');
    return exitCodes.clean;
  }
  return withInterrupts(async ({ signal }) => {
    const ended = AbortSignal.any([signal, door.readerGone]);
    const last = newest[0]?.entry.sequence;
    const from = last === undefined ? {} : { fromSequence: last + 1 };
    for await (const found of followEntries(folder, { ...filter, ...from, signal: ended })) show(found);
    return exitCodes.clean;
  });
}
