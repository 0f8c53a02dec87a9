import { join } from 'node:path';
import type { Prepared } from '../../../instruments/guard/launch/contract.ts';
import type { Door } from '../definition.ts';

/** What a client starts, as something that a box can start at once. */

export interface PrepareWishes {
  readonly argv: readonly string[];
  readonly isUpdate: boolean;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  /** Of the command; default: the caller's own. */
  readonly folder?: string;
}

export async function prepare({ caller, settings }: Door, wishes: PrepareWishes): Promise<Prepared> {
  const { prepareServer } = await import('../../../instruments/guard/launch/prepare.ts');
  const { home, backend, runtimeFolder, dockerSocket } = settings.values;
  const prepared = await prepareServer(wishes.argv, {
    home,
    fetch: {
      cwd: wishes.folder ?? caller.folder,
      home: caller.homeFolder,
      environment: caller.environment,
      cacheFolder: join(home, 'cache'),
      isOffline: false,
    },
    box: { backend, runtimeFolder, dockerSocket },
    refresh: wishes.isUpdate,
    onProgress: wishes.tell,
    signal: wishes.signal,
  });
  for (const problem of prepared.problems) wishes.tell(problem);
  return prepared;
}
