import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { describeError, exitCodes } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { GuardedEnd } from '../../../instruments/guard/run/contract.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf, type Interrupts, withInterrupts } from '../interrupts.ts';
import { createSafeOutput } from '../terminal/safe-output.ts';
import { openHome } from './open-home.ts';
import type { Serving } from './serving.ts';
import { startOne } from './start-one.ts';
import { type RunWishes, readRunOptions, readRunWishes } from './wishes.ts';

/** `hotcell run`: stdin and stdout are the server's; our own words go to stderr alone. */

function openTell({ stderr, settings }: Door): (line: string) => void {
  if (settings.values.logLevel === 'quiet') return () => undefined;
  return (line) => void stderr.write(`hotcell: ${forTerminal(untrusted(line))}\n`);
}

/** What the server says about itself; on a terminal it must not steer it. */
function errorOutputOf({ stderr }: Door): Writable {
  if (!('isTTY' in stderr) || stderr.isTTY !== true) return stderr;
  const safe = createSafeOutput();
  safe.pipe(stderr, { end: false });
  return safe;
}

function tellEnd({ reason, status }: GuardedEnd, tell: (line: string) => void): void {
  if (reason === 'client-gone' || reason === 'stopped' || reason === 'failed') return;
  const how = status.code === null ? `signal ${status.signal ?? 'unknown'}` : `code ${status.code}`;
  const limits = status.limitsHit.map(({ limit, detail }) => `${limit}: ${detail}`).join('; ');
  tell(`the server ended with ${how}${limits === '' ? '' : ` (${limits})`}`);
}

export function exitCodeOfEnd({ reason, status, error }: GuardedEnd, interrupts: Pick<Interrupts, 'received'>): number {
  const received = interrupts.received();
  if (reason === 'failed') throw error ?? new Error('the guard failed');
  if (received !== null) return exitCodeOf(received);
  if (reason === 'client-gone' || reason === 'stopped') return exitCodes.clean;
  return status.code ?? exitCodeOf(status.signal ?? 'SIGKILL');
}

async function serveOne(door: Door, wishes: RunWishes, interrupts: Interrupts): Promise<number> {
  const tell = openTell(door);
  for (const name of wishes.unset) tell(`--env ${name}: it is not set here`);
  await using home = openHome(door, (problem) => tell(`ledger: ${problem}`));
  const streams = {
    client: { input: door.stdin, output: door.stdout },
    errorOutput: errorOutputOf(door),
    tell,
    signal: interrupts.signal,
  };
  const { source } = wishes;
  const serving: Serving = { door, home, wishes, streams, interrupts, session: randomBytes(8).toString('hex') };
  if (source.is === 'config') {
    const { serveGateway } = await import('./serve-gateway.ts');
    return await serveGateway(source.file, serving);
  }
  const { openSource } = await import('./registered.ts');
  const one = await openSource(source, home, wishes);
  if (wishes.http !== null) {
    const { serveHttp } = await import('./serve-http.ts');
    const end = await serveHttp(wishes.http, serving, one);
    tellEnd(end, tell);
    return exitCodeOfEnd(end, interrupts);
  }
  const session = await startOne(door, home, wishes, one.server, streams);
  const watch = await one.watch(session.server);
  try {
    const end = await session.ended;
    tellEnd(end, tell);
    return exitCodeOfEnd(end, interrupts);
  } finally {
    await watch?.close().catch((error: unknown) => tell(describeError(error)));
  }
}

export async function runGuardCommand(
  options: Readonly<Record<string, unknown>>,
  words: readonly string[],
  door: Door,
): Promise<number> {
  const wishes = await readRunWishes(readRunOptions(options), words, door.caller);
  return withInterrupts((interrupts) => serveOne(door, wishes, interrupts));
}
