import { setTimeout as delay } from 'node:timers/promises';
import type { Conversation, Listing } from '../../../../targets/conversation/contract.ts';
import { firstVariant, laterListings } from '../listings/index.ts';
import type { ToolSession } from '../session/contract.ts';
import { Session } from '../session/session.ts';
import { settleMs } from '../session/settling.ts';
import { adaptWorld, restoreWorld } from '../world/index.ts';
import type { Bench } from './bench.ts';
import { listLater } from './list-phase.ts';
import { Server } from './server.ts';

/** Honest calls, then trials, over one line to the server that is renewed when it breaks. */

const againMs = 8000;
/** Of the time that a run may take, how much honest calls get at most. */
const useShare = 0.4;
const leastCalls = 20;
/** Of an honest call only what it did at once: the next one follows closely. */
const afterNs = 50_000_000n;

export interface Used {
  readonly session: Session;
  readonly tools: readonly ToolSession[];
}

/** A server that went away is started once more in the same way. */
function reopener(bench: Bench): () => Promise<Conversation | null> {
  let count = 0;
  return async () => {
    const { launch } = bench.draft;
    if (launch === null || bench.isOver) return null;
    count += 1;
    await bench.server?.close();
    // One that dies while it writes its settings leaves them empty.
    await restoreWorld(bench.cell, bench.draft.world).catch(() => undefined);
    const started = await Server.start(bench.cell, launch, {
      identity: firstVariant.identity,
      window: bench.window,
      prefix: `again-${count}/`,
      helloMs: againMs,
      signal: bench.options.signal,
    });
    bench.server = started.is === 'started' ? started.server : null;
    return bench.server?.conversation ?? null;
  };
}

export async function usePhase(bench: Bench, listing: Listing): Promise<Used | null> {
  const { options, draft, window } = bench;
  const { wishes, knowledge, signal, onProgress } = options;
  if (bench.server === null || (wishes.focus?.kind === 'phase' && wishes.focus.phase === 'list')) return null;
  const asked = wishes.model === null ? null : await wishes.model.propose(listing.tools, signal);
  bench.miss(...(asked?.problems ?? []));
  const only = wishes.focus?.kind === 'trial' ? wishes.focus.trial : undefined;
  const session = new Session(bench.server.conversation, bench, window, {
    budget: wishes.budget,
    seed: wishes.seed,
    knowledge,
    isConfined: draft.launch?.isConfined ?? false,
    proposals: asked?.proposals ?? [],
    useUntilMs: performance.now() + wishes.mostMs * useShare,
    attackUntilMs: performance.now() + wishes.mostMs,
    signal,
    reopen: reopener(bench),
    ...(wishes.honestCalls === undefined ? {} : { mostHonest: wishes.honestCalls }),
    ...(wishes.trialsPerPosition === undefined ? {} : { limits: { perPosition: wishes.trialsPerPosition } }),
    ...(only === undefined ? {} : { only }),
    onTool: (name, number, of) => onProgress({ kind: 'tool', name, number, of }),
    onVerdict: ({ class: kind, tool, pointer, isByDesign }) => {
      if (!isByDesign) onProgress({ kind: 'note', text: `proven: ${kind} of ${tool}${pointer}` });
    },
    onTrials: (made, planned) => onProgress({ kind: 'trials', made, planned }),
    onFirstCall: async () => {
      const later = laterListings.find(({ afterCalls }) => afterCalls === 1);
      if (later !== undefined && only === undefined && bench.server !== null)
        await listLater(bench, bench.server, later);
    },
  });
  const wanted =
    only === undefined ? listing : { ...listing, tools: listing.tools.filter(({ name }) => isOf(only, name)) };
  const tools = await session.use(wanted, draft.world);
  draft.tools = tools;
  draft.crashes = session.crashes;
  if (only === undefined) {
    await session.repeat(tools, leastCalls);
    const later = laterListings.find(({ afterCalls }) => afterCalls === leastCalls);
    if (later !== undefined && session.calls >= leastCalls && bench.server !== null)
      await listLater(bench, bench.server, later);
  }
  return { session, tools };
}

/** Ids of trials are `class/payload tool/pointer`. */
function isOf(trial: string, tool: string): boolean {
  return trial.slice(trial.indexOf(' ') + 1).startsWith(`${tool}/`);
}

export async function attackPhase(bench: Bench, { session, tools }: Used): Promise<void> {
  const { draft, cell, window } = bench;
  await delay(settleMs);
  const uses = tools.flatMap(({ tool, honest }) =>
    honest.map(({ input, fromNs, toNs }) => ({
      tool: tool.name,
      input: input.input,
      events: window.between(fromNs, toNs + afterNs),
    })),
  );
  const listed = tools.map(({ tool }) => tool);
  const events = window.between(0n, process.hrtime.bigint());
  const adapted = await adaptWorld(cell, draft.world, { tools: listed, uses, events });
  bench.miss(...adapted.problems);
  const worlds = new Map(adapted.tools.map(({ tool, world }) => [tool, world]));
  const attack = await session.attack(tools, {
    worldOf: (tool) => worlds.get(tool) ?? draft.world,
    likely: [
      ...(await bench.options.likely),
      ...adapted.tools.flatMap(({ tool, likely }) => likely.map((hint) => ({ tool, ...hint }))),
    ],
    ...(adapted.isConfined === undefined ? {} : { isConfined: adapted.isConfined }),
  });
  draft.made = attack.made;
  draft.proven = attack.proven;
  draft.notTried = attack.notTried;
  draft.crashes = session.crashes;
}
