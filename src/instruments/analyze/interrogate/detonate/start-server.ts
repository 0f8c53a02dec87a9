import type { Analysis } from '../../../../base/analysis-schema.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import { excerpt } from '../../inspect/rule.ts';
import type { FailedStart, Launch, LaunchFacts } from '../start/contract.ts';
import { diagnose, nextLaunch, planLaunch } from '../start/index.ts';
import { Server, type ServerOptions } from './server.ts';

/** Tries to start a server, with a better idea after each failure, and says how it went. */

const mostAttempts = 5;
const tailBytes = 4096;
/** One that says nothing may be meant to be started in another way, and that way answers soon. */
const laterHelloMs = 6000;
/** After this time there is no further attempt. */
const longestStartMs = 60_000;

export interface StartedServer {
  readonly start: Analysis['start'];
  readonly server: Server | null;
  readonly launch: Launch | null;
}

function describe(launch: Launch, attempts: number, failed: FailedStart | null): Analysis['start'] {
  return {
    isStarted: failed === null,
    transport: launch.transport,
    argv: launch.argv.slice(0, 256).map((word) => excerpt(word, 4096)),
    because: launch.because.slice(0, 64).map((line) => line.slice(0, 1024)),
    attempts,
    ...(failed === null
      ? {}
      : {
          stderrTail: excerpt((failed.stderrTail || failed.stdoutTail).slice(-tailBytes), tailBytes),
          guess: diagnose(failed).slice(0, 1024),
        }),
  };
}

export async function startServer(
  cell: Cell,
  facts: LaunchFacts,
  options: ServerOptions & { readonly prepare: (launch: Launch) => Promise<Launch> },
): Promise<StartedServer> {
  const failures: FailedStart[] = [];
  let launch: Launch | null = planLaunch(facts);
  let last: Launch = launch;
  const until = performance.now() + longestStartMs;
  let helloMs = options.helloMs;
  while (launch !== null && failures.length < mostAttempts && !options.signal.aborted && performance.now() < until) {
    const ready = await options.prepare(launch);
    last = ready;
    const started = await Server.start(cell, ready, { ...options, helloMs });
    if (started.is === 'started') {
      const isHttp = started.server.http !== null;
      const known = isHttp ? { ...ready, transport: 'http' as const } : ready;
      return { start: describe(known, failures.length + 1, null), server: started.server, launch: known };
    }
    failures.push(started.failed);
    if (started.failed.is === 'silent') helloMs = Math.min(helloMs, laterHelloMs);
    launch = nextLaunch(failures, facts);
  }
  // The first idea is the one that people would have had; its words are the ones to show.
  const shown = failures.at(-1) ?? null;
  return { start: describe(last, failures.length, shown ?? nothing(last)), server: null, launch: null };
}

function nothing(launch: Launch): FailedStart {
  return { launch, is: 'silent', code: null, signal: null, stderrTail: '', stdoutTail: '', listens: [] };
}
