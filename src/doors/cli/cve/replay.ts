import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type ExitCode, exitCodes } from '../../../base/errors.ts';
import { Ledger } from '../../../engine/ledger/index.ts';
import {
  type Attack,
  attacks,
  findAttack,
  type Replay,
  type ReplayOptions,
  replayAttack,
} from '../../../instruments/guard/attacks/index.ts';
import { ledgerOptions } from '../../settings/index.ts';
import { openRunFolder } from '../../tools/runs/run-folder.ts';
import { untilInterrupted } from '../analyze/interruptible.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf } from '../interrupts.ts';
import { formatJson } from '../terminal/index.ts';
import { renderReplay } from './render.ts';
import { readReplayPolicy, readTimeout } from './wishes.ts';

export interface ReplayWishes {
  readonly policy?: string | undefined;
  readonly timeout?: string | undefined;
  readonly json: boolean;
}

/** Under a policy an attack that succeeds is bad news; without one it is what was asked for. */
export function exitCodeOfReplays(
  replays: readonly Pick<Replay, 'verdict' | 'guarded'>[],
  hasPolicy: boolean,
): ExitCode {
  if (hasPolicy && replays.some(({ verdict, guarded }) => verdict === 'vulnerable' && guarded !== null)) {
    return exitCodes.findings;
  }
  return replays.some(({ verdict }) => verdict === 'not-reproducible') ? exitCodes.incomplete : exitCodes.clean;
}

function prepareOptions({ settings, caller }: Door): ReplayOptions['prepare'] {
  const { home, backend, runtimeFolder, dockerSocket } = settings.values;
  return {
    home,
    fetch: {
      cwd: caller.folder,
      home: caller.homeFolder,
      environment: caller.environment,
      cacheFolder: join(home, 'cache'),
      isOffline: false,
    },
    box: { backend, runtimeFolder, dockerSocket },
  };
}

export async function runReplay(wishes: ReplayWishes, ids: readonly string[], door: Door): Promise<number> {
  const { stdout, stderr, terminal, settings, caller } = door;
  const chosen: readonly Attack[] = ids.length === 0 ? attacks : [...new Set(ids.map(findAttack))];
  const policy = readReplayPolicy(wishes.policy, caller.folder);
  const timeoutMs = readTimeout(wishes.timeout);
  const isQuiet = settings.values.logLevel === 'quiet' || wishes.json;
  const session = randomBytes(8).toString('hex');
  const tell = (what: string): void => void (isQuiet || stderr.write(`hotcell: ${what}\n`));
  return untilInterrupted(door, async (signal, interrupts) => {
    const ledger = await Ledger.open({ ...ledgerOptions(settings.values), onProblem: tell });
    const replays: Replay[] = [];
    try {
      for (const attack of chosen) {
        if (signal.aborted) break;
        const folder = await openRunFolder(undefined, door, { flag: '--home', part: attack.id.toLowerCase() });
        const prepare = prepareOptions(door);
        const options = { policy, prepare, folder, ledger, session, timeoutMs, signal, onProgress: tell };
        const replay = await replayAttack(attack, options);
        replays.push(replay);
        if (!wishes.json) stdout.write(renderReplay(replay, terminal));
      }
    } finally {
      await ledger.close();
    }
    if (wishes.json) stdout.write(formatJson({ replays }));
    const received = interrupts.received();
    return received === null ? exitCodeOfReplays(replays, policy.is !== 'none') : exitCodeOf(received);
  });
}
