import type { Listing } from '../../../../targets/conversation/contract.ts';
import {
  asComparison,
  causeOfLater,
  compareListings,
  findVariant,
  firstVariant,
  type LaterListing,
  laterListings,
  plannedVariants,
} from '../listings/index.ts';
import { askAgain } from './again.ts';
import type { Bench } from './bench.ts';
import type { Server } from './server.ts';

/** What the server offers: once, again, and under other circumstances. */

/** One more listing of the same session, compared with the first. */
export async function listLater(
  bench: Bench,
  server: Pick<Server, 'conversation'>,
  later: LaterListing,
): Promise<void> {
  const { draft } = bench;
  if (draft.listing === null || bench.isOver) return;
  const again = await server.conversation.list();
  if (again.tools.length === 0 && again.problems.length > 0) return;
  const difference = compareListings(draft.listing, again);
  draft.listings = [...draft.listings, asComparison(later.id, later.title, difference)];
  if (difference.isSame) return;
  draft.otherListings = [...draft.otherListings, again];
  const isAnnounced = server.conversation.counts.notifications > 0;
  const compared = [{ id: later.id, title: later.title, difference }];
  draft.differences = [...draft.differences, { cause: causeOfLater(later, isAnnounced), compared }];
}

export async function listPhase(bench: Bench, server: Server): Promise<Listing> {
  const { draft, options } = bench;
  await bench.enter('list');
  const listing = await server.conversation.list();
  draft.listing = listing;
  const { focus } = options.wishes;
  if (focus?.kind === 'trial') return listing;
  const [second] = laterListings;
  if (second !== undefined && focus === undefined) await listLater(bench, server, second);
  const planned = focus === undefined ? plannedVariants(options.wishes.budget) : focusedVariants(focus.variant);
  if (draft.launch === null || planned.length === 0 || bench.isOver) return listing;
  const asked = await askAgain(
    {
      cell: bench.cell,
      launch: draft.launch,
      world: draft.world,
      first: listing,
      server: { window: bench.window, signal: options.signal },
      options,
    },
    planned,
  );
  draft.listings = [...draft.listings, ...asked.listings].slice(0, 32);
  draft.differences = [...draft.differences, ...asked.differences];
  draft.otherListings = [...draft.otherListings, ...asked.offered];
  draft.variants = asked.spans;
  draft.otherCalls = asked.calls;
  bench.miss(...asked.missing);
  return listing;
}

function focusedVariants(id: string) {
  const variant = id === firstVariant.id ? null : findVariant(id);
  return variant === null ? [] : [variant];
}
