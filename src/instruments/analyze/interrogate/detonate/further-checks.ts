import { setTimeout as delay } from 'node:timers/promises';
import { bindAddressesOf, runHttpChecks } from '../http-checks/index.ts';
import { firstVariant } from '../listings/index.ts';
import { type Observe, resourceTrials, runResourceTrials } from '../resources/index.ts';
import { createdPaths } from '../session/attack.ts';
import { afterNs, settleMs } from '../session/settling.ts';
import { readTrialClasses } from '../trials/index.ts';
import type { Bench } from './bench.ts';
import { resourceProven } from './resource-proven.ts';

/** What can be tried besides the arguments of tools: resources and prompts, and the door of a server that listens. */

const longestMs = 6000;

function observer(bench: Bench): Observe {
  return async (calls) => {
    const made: { result: Awaited<ReturnType<(typeof calls)[number]>>; fromNs: bigint; toNs: bigint }[] = [];
    for (const call of calls) {
      const fromNs = process.hrtime.bigint();
      made.push({ result: await call(), fromNs, toNs: process.hrtime.bigint() });
    }
    await delay(settleMs);
    return made.map(({ result, fromNs, toNs }) => {
      const events = bench.window.between(fromNs, toNs + afterNs);
      return { result, events, newFiles: createdPaths(events) };
    });
  };
}

export async function tryResources(bench: Bench): Promise<void> {
  const { draft, options, server } = bench;
  const { listing } = draft;
  if (server === null || server.hasEnded || listing === null || bench.isOver) return;
  if (listing.resources.length === 0 && listing.prompts.length === 0) return;
  const trials = resourceTrials(listing, draft.world, {
    seed: options.wishes.seed,
    knowledge: options.knowledge,
    classes: readTrialClasses(),
    isConfined: draft.launch?.isConfined ?? false,
  });
  const deadlineMs = performance.now() + longestMs;
  const session = await runResourceTrials(server.conversation, trials, observer(bench), { deadlineMs });
  draft.proven = [...draft.proven, ...resourceProven(session, trials)];
  draft.findings = [...draft.findings, ...session.findings];
  draft.notTried = [...draft.notTried, ...session.notTried];
  draft.resourceCalls = session.calls;
}

/** At the door of a server that listens. */
export async function tryDoor(bench: Bench): Promise<void> {
  const { draft, server, window, options } = bench;
  if (server === null || server.http === null || server.hasEnded || bench.isOver) return;
  const { relay, endpoint } = server.http;
  const answered = draft.tools.flatMap(({ tool, honest }) =>
    honest.flatMap(({ input, result }) =>
      result.outcome === 'answered' ? [{ tool: tool.name, input: input.input }] : [],
    ),
  );
  const [honestCall] = answered;
  const report = await runHttpChecks(
    {
      url: new URL(endpoint.path, relay.url),
      request: relay.request,
      endpoint,
      identity: firstVariant.identity,
      bindAddresses: bindAddressesOf(window.between(0n, process.hrtime.bigint()), Number(relay.url.port)),
      isRemote: false,
      ...(honestCall === undefined ? {} : { honestCall }),
    },
    { signal: options.signal },
  );
  draft.findings = [...draft.findings, ...report.findings];
  bench.miss(...report.notChecked.map(({ check, because }) => `HTTP check ${check}: ${because}`));
}
