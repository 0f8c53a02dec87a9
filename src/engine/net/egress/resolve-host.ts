import { lookup } from 'node:dns/promises';

/** The addresses of a name as the host sees it. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** A lookup blocks one of the few threads that also read files for all of Hotcell: two at a time leave it some. */
const mostLookups = 2;

/** At most so many at a time; the others wait for their turn. */
export function takingTurns(resolve: ResolveHost, most = mostLookups): ResolveHost {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (name) => {
    if (running >= most) await new Promise<void>((turn) => void waiting.push(turn));
    else running += 1;
    try {
      return await resolve(name);
    } finally {
      // The turn is handed on, so that nobody comes between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

export function hostResolver(): ResolveHost {
  return takingTurns(async (name) => (await lookup(name, { all: true })).map(({ address }) => address));
}
