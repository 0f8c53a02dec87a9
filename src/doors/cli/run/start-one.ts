import type { GivenPolicy } from '../../../instruments/guard/run/effective-policy.ts';
import { openSession, type Session, type SessionStreams } from '../../../instruments/guard/run/session.ts';
import { openRunFolder } from '../../tools/runs/run-folder.ts';
import type { Door } from '../definition.ts';
import { chooseGiven } from './given-policy.ts';
import type { OpenHome } from './open-home.ts';
import { prepare } from './prepare.ts';
import type { RunWishes } from './wishes.ts';

/** One server from its command: the same for stdio, for HTTP and for each server of a gateway. */

export interface OneServer {
  readonly argv: readonly string[];
  readonly name: string | undefined;
  /** Takes the place of what the settings say. */
  readonly given?: GivenPolicy;
  /** For whoever enters it, or tells it of hosts later. */
  readonly needsNetwork?: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder?: string;
}

export async function startOne(
  door: Door,
  home: OpenHome,
  wishes: RunWishes,
  one: OneServer,
  streams: SessionStreams & { readonly tell: (line: string) => void; readonly signal: AbortSignal },
): Promise<Session> {
  const { tell, signal } = streams;
  const [policies, server, watchFolder] = await Promise.all([
    one.given === undefined ? chooseGiven(door) : { given: one.given, fallback: one.given },
    prepare(door, {
      argv: one.argv,
      isUpdate: wishes.isUpdate,
      tell,
      signal,
      ...(one.folder === undefined ? {} : { folder: one.folder }),
    }),
    wishes.isWatched ? openRunFolder(undefined, door, { flag: '--watch', part: one.name }) : undefined,
  ]);
  if (watchFolder !== undefined) tell(`what it does is kept in ${watchFolder}`);
  return openSession(
    home,
    {
      server,
      ...policies,
      ...(one.name === undefined ? {} : { name: one.name }),
      ...(one.needsNetwork === undefined ? {} : { needsNetwork: one.needsNetwork }),
      flags: { ...wishes.flags, variables: Object.keys(one.environment) },
      mode: wishes.mode,
      instructions: wishes.instructions,
      environment: one.environment,
      callerEnvironment: door.caller.environment,
      allowedGaps: wishes.allowedGaps,
      canaries: wishes.canaries,
      ...(wishes.innerPort === null ? {} : { innerPort: wishes.innerPort }),
      ...(watchFolder === undefined ? {} : { watchFolder }),
      ...(wishes.learnTo === undefined ? {} : { learnTo: wishes.learnTo }),
    },
    streams,
  );
}
