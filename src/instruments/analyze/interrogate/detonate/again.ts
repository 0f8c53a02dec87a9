import type { Listing } from '../../../../targets/conversation/contract.ts';
import { honestInputs, type World } from '../arguments/index.ts';
import {
  asComparison,
  causeOf,
  clockVariables,
  compareListings,
  echoesOf,
  isolate,
  type Variant,
  variantEnvironment,
  withoutClock,
} from '../listings/index.ts';
import type { HonestCall } from '../session/contract.ts';
import type { Launch } from '../start/contract.ts';
import type { Detonated, DetonateOptions, VariantSpan } from './contract.ts';
import { awaitQuiet } from './quiet.ts';
import { Server, type ServerCell, type ServerOptions } from './server.ts';

/** The same server under other circumstances: is what it offers, and what it does when used, still the same? */

const mostTools = 8;
const callTimeoutMs = 3000;
const longestMs = 8000;
const helloMs = 8000;
const quietMs = 250;
const longestQuietMs = 2000;

export interface AskedAgain {
  readonly listings: Detonated['listings'];
  readonly differences: Detonated['differences'];
  readonly offered: readonly Listing[];
  readonly spans: readonly VariantSpan[];
  readonly calls: Detonated['otherCalls'];
  readonly missing: readonly string[];
}

interface Once {
  readonly variant: Variant;
  readonly listing: Listing;
  readonly span: VariantSpan;
  readonly calls: Detonated['otherCalls'];
}

export interface AgainPlace {
  readonly cell: ServerCell;
  readonly launch: Launch;
  readonly world: World;
  readonly first: Listing;
  readonly server: Pick<ServerOptions, 'window' | 'signal'>;
  readonly options: Pick<DetonateOptions, 'wishes' | 'knowledge'>;
}

async function askOnce(place: AgainPlace, variant: Variant): Promise<Once | string> {
  const { cell, launch, server } = place;
  const clock = clockVariables(variant.clockDays);
  const moved = clock.is === 'yes' ? clock.value : {};
  const environment = { ...variantEnvironment(variant, launch.environment), ...moved };
  const fromNs = process.hrtime.bigint();
  const prefix = `${variant.id}/`;
  const started = await Server.start(
    cell,
    { ...launch, environment },
    { ...server, identity: variant.identity, prefix, helloMs },
  );
  if (started.is === 'failed') return `${variant.title}: it did not start`;
  try {
    const listing = await started.server.conversation.list();
    const calls = await useOnce(place, started.server, listing);
    // What it began to do is to be seen to its end.
    await awaitQuiet(server.window, quietMs, longestQuietMs);
    return { variant, listing, span: { id: variant.id, fromNs, toNs: process.hrtime.bigint() }, calls };
  } finally {
    await started.server.close();
  }
}

/** Some things happen only when a tool is used. */
async function useOnce(place: AgainPlace, server: Server, listing: Listing): Promise<Detonated['otherCalls']> {
  const { world, options } = place;
  const { seed } = options.wishes;
  const until = performance.now() + longestMs;
  const calls: { tool: string; call: HonestCall }[] = [];
  for (const tool of listing.tools.slice(0, mostTools)) {
    if (performance.now() > until || place.server.signal.aborted || server.hasEnded) break;
    const [input] = honestInputs(tool, world, { seed, knowledge: options.knowledge, mostInputs: 1 });
    if (input === undefined) continue;
    const fromNs = process.hrtime.bigint();
    const result = await server.conversation.call(tool.name, input.input, callTimeoutMs);
    calls.push({ tool: tool.name, call: { input, result, fromNs, toNs: process.hrtime.bigint() } });
    if (result.outcome === 'timeout') break;
  }
  return calls;
}

/** Where the clock cannot be moved, what is left of the circumstances is still worth asking. */
function possible(variant: Variant, missing: string[]): Variant | null {
  const clock = clockVariables(variant.clockDays);
  if (clock.is === 'yes') return variant;
  missing.push(`${variant.title}: ${'because' in clock ? clock.because : 'the clock cannot be moved'}`);
  return withoutClock(variant);
}

/** Two extra starts for all circumstances together; only what makes a difference is taken apart. */
export async function askAgain(place: AgainPlace, planned: readonly Variant[]): Promise<AskedAgain> {
  const asked: Once[] = [];
  const missing: string[] = [];
  const differences: {
    cause: Detonated['differences'][number]['cause'];
    compared: Detonated['differences'][number]['compared'];
  }[] = [];
  const ask = async (wanted: Variant): Promise<Once | null> => {
    const variant = possible(wanted, missing);
    if (variant === null || place.server.signal.aborted) return null;
    const once = await askOnce(place, variant);
    if (typeof once !== 'string') asked.push(once);
    else missing.push(once);
    return typeof once === 'string' ? null : once;
  };
  const compare = ({ variant, listing }: Once) => compareListings(place.first, listing, { echoes: echoesOf(variant) });
  for (const variant of planned) {
    const once = await ask(variant);
    if (once === null || compare(once).isSame) continue;
    const alone: Once[] = [];
    for (const single of isolate(variant)) {
      const each = await ask(single);
      if (each !== null && !compare(each).isSame) alone.push(each);
    }
    const shown = alone.length === 0 ? [once] : alone;
    const causes = causeOf(
      variant,
      alone.map((each) => each.variant),
    );
    for (const [at, cause] of causes.entries()) {
      const each = shown[at] ?? once;
      differences.push({
        cause,
        compared: [{ id: each.variant.id, title: each.variant.title, difference: compare(each) }],
      });
    }
  }
  return {
    listings: asked.map((once) => asComparison(once.variant.id, once.variant.title, compare(once))),
    differences,
    offered: asked.filter((once) => !compare(once).isSame).map(({ listing }) => listing),
    spans: asked.map(({ span }) => span),
    calls: asked.flatMap(({ calls }) => calls),
    missing,
  };
}
