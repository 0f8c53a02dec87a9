import type { StoreHandle } from '../../../engine/store/contract.ts';
import { type Ask, askKey, asksDefinition, serverPrefix } from './documents.ts';

/** Lines of a policy that say `ask`: who asked for what, and what a person has said to it. */

export interface Asks {
  /** Whether this call may be made. A yes for one call is used up by it; without one it is noted that somebody asked. */
  take(server: string, tool: string): boolean;
  allow(server: string, tool: string, uses: 1 | 'always'): Ask;
  /** False where there was nothing to take back. */
  forget(server: string, tool: string): boolean;
  list(server?: string): readonly Ask[];
}

const longestName = 500;
const mostWaiting = 1_000_000;
/** Calls that a person may have allowed one by one and that nobody has made yet. */
const mostAllowed = 1000;

function emptyAsk(server: string, tool: string): Ask {
  return {
    server,
    tool: tool.slice(0, longestName).toWellFormed(),
    waiting: 0,
    allowed: 0,
    at: new Date().toISOString(),
  };
}

export function openAsks(store: StoreHandle): Asks {
  const asks = store.collection(asksDefinition);
  return {
    take(server, tool) {
      let isAllowed = false;
      try {
        const key = askKey(server, tool);
        // An answer for ever is only read: most calls change nothing.
        if (asks.get(key)?.value.allowed === 'always') return true;
        asks.change(key, (before) => {
          const ask = before ?? emptyAsk(server, tool);
          isAllowed = ask.allowed === 'always' || ask.allowed > 0;
          if (ask.allowed === 'always') return ask;
          if (ask.allowed > 0) return { ...ask, allowed: ask.allowed - 1 };
          return { ...ask, waiting: Math.min(ask.waiting + 1, mostWaiting), at: new Date().toISOString() };
        });
        return isAllowed;
      } catch {
        // Without the store nobody has said yes.
        return false;
      }
    },

    allow(server, tool, uses) {
      const stored = asks.change(askKey(server, tool), (before) => {
        const ask = before ?? emptyAsk(server, tool);
        const allowed =
          uses === 'always' || ask.allowed === 'always' ? 'always' : Math.min(ask.allowed + 1, mostAllowed);
        return { ...ask, waiting: 0, allowed, at: new Date().toISOString() };
      });
      return stored?.value ?? emptyAsk(server, tool);
    },

    forget: (server, tool) => asks.remove(askKey(server, tool)),

    list: (server) => asks.list(server === undefined ? {} : { prefix: serverPrefix(server) }).map(({ value }) => value),
  };
}
