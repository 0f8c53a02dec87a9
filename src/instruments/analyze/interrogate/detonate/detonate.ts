import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, isKnownError, TargetError } from '../../../../base/errors.ts';
import { Cell } from '../../../../engine/cell/index.ts';
import { makeHome } from '../../../../engine/decoy/index.ts';
import { carryOut } from '../../../../targets/install/index.ts';
import { firstVariant } from '../listings/index.ts';
import { EventWindow } from '../session/event-window.ts';
import type { Launch } from '../start/contract.ts';
import { possibleVariables } from '../start/index.ts';
import { plantWorld, planWorld, type RaisedProps, raiseProps } from '../world/index.ts';
import { Bench } from './bench.ts';
import type { Detonated, DetonateOptions } from './contract.ts';
import { tryDoor, tryResources } from './further-checks.ts';
import { mintAllGiven } from './given-bait.ts';
import { listPhase } from './list-phase.ts';
import { awaitQuiet } from './quiet.ts';
import type { Server } from './server.ts';
import { startServer } from './start-server.ts';
import { attackPhase, usePhase } from './use-and-attack.ts';

/** Lets a target loose in a cell, phase by phase. Whatever the target does, there is a record in the end. */

const helloMs = 15_000;
/** How long a target is watched while it starts, before it is spoken to. */
const startQuietMs = 150;
const longestStartMs = 2500;
/** Long enough for what a server leaves behind to show itself. */
const stopMs = 600;
const leastUpMs = 8000;
const endQuietMs = 300;
const longestEndMs = 3000;

async function openBench(options: DetonateOptions): Promise<Bench> {
  const { policy, box, folder, install, wishes } = options;
  const window = new EventWindow();
  const plan = planWorld();
  const given = mintAllGiven(possibleVariables(options.target.folder), `${wishes.seed}${randomUUID()}`);
  const made = makeHome();
  const home = { ...made, canaries: [...made.canaries, ...given.values()] };
  const cell = await Cell.open(policy, {
    ...box,
    folder,
    phase: 'install',
    decoys: home,
    fake: { ...plan.fake, registries: [...install.registries] },
    onEvents: window.add,
  });
  try {
    const planted = await plantWorld(cell, wishes.environment, plan);
    return new Bench({ options, window, cell, planted, home, given });
  } catch (error) {
    await cell.close();
    throw error;
  }
}

async function installPhase(bench: Bench): Promise<void> {
  const { options, cell, planted } = bench;
  bench.stage('install');
  const outcome = await carryOut(options.install, cell);
  bench.draft.installed = outcome.installed;
  bench.draft.installProblems = outcome.problems;
  bench.draft.world = await planted.finish(cell);
}

/** A launch names services as they usually are; where they really stand is known once they do. */
function amongProps(launch: Launch, props: readonly RaisedProps[]): Launch {
  const urls = Object.values(Object.assign({}, ...props.map((each) => each.urls)) as Record<string, string>);
  const placed = (text: string): string =>
    urls.find((url) => URL.canParse(text) && new URL(text).protocol === new URL(url).protocol) ?? text;
  const around: Record<string, string> = Object.assign({}, ...props.map(({ environment }) => environment));
  const own = Object.entries(launch.environment).map(([name, value]) => [name, placed(value)]);
  return { ...launch, argv: launch.argv.map(placed), environment: { ...around, ...Object.fromEntries(own) } };
}

async function startPhase(bench: Bench): Promise<Server | null> {
  const { options, cell, window, draft } = bench;
  await bench.enter('start');
  const { target, wishes } = options;
  const raised = new Set<string>();
  const started = await startServer(
    cell,
    {
      ...target,
      installed: draft.installed,
      world: draft.world,
      given: { environment: wishes.environment, args: wishes.args, props: wishes.props },
      bait: bench.bait,
    },
    {
      identity: firstVariant.identity,
      window,
      prefix: '',
      helloMs,
      signal: options.signal,
      onRunning: async () => {
        await awaitQuiet(window, startQuietMs, longestStartMs);
        await bench.enter('handshake');
      },
      prepare: async (launch) => {
        const fresh = launch.props.filter((prop) => !raised.has(`${prop.kind} ${prop.name}`));
        for (const prop of fresh) raised.add(`${prop.kind} ${prop.name}`);
        if (fresh.length > 0) {
          const props = await raiseProps(cell, fresh);
          bench.props.push(props);
          bench.miss(...props.problems);
          draft.world = { ...draft.world, ...props.world };
        }
        return amongProps(launch, bench.props);
      },
    },
  );
  bench.startedMs = performance.now();
  draft.start = started.start;
  draft.launch = started.launch;
  draft.handshake = started.server?.handshake ?? null;
  if (started.server === null) bench.miss(`the server did not start: ${started.start.guess ?? 'no reason is known'}`);
  return started.server;
}

async function idlePhase(bench: Bench): Promise<void> {
  const { patienceMs, focus } = bench.options.wishes;
  if (patienceMs === 0 || focus?.kind === 'trial' || bench.isOver) return;
  await bench.enter('idle');
  // Short runs are made long enough for what waits only a few seconds.
  const idleMs = Math.max(patienceMs, Math.min(leastUpMs, 2 * patienceMs) - (performance.now() - bench.startedMs));
  await delay(idleMs, undefined, { signal: bench.options.signal }).catch(() => undefined);
  // What it has just begun is to be seen to its end.
  await awaitQuiet(bench.window, endQuietMs, longestEndMs);
}

async function stopPhase(bench: Bench, server: Server): Promise<void> {
  await bench.enter('stop');
  bench.draft.counts = server.conversation.counts;
  await server.close();
  await delay(stopMs);
}

async function runPhases(bench: Bench): Promise<void> {
  const { options } = bench;
  await installPhase(bench);
  if (bench.isOver) return;
  const server = await startPhase(bench);
  bench.server = server;
  if (server === null) return;
  const listing = await listPhase(bench, server);
  if (!bench.isOver) {
    const used = await usePhase(bench, listing);
    if (used !== null && !bench.isOver) {
      await attackPhase(bench, used);
      if (options.wishes.focus === undefined) {
        await tryResources(bench);
        await tryDoor(bench);
      }
    }
  }
  await idlePhase(bench);
  if (bench.server !== null) await stopPhase(bench, bench.server);
}

export async function detonate(options: DetonateOptions): Promise<Detonated> {
  const bench = await openBench(options);
  try {
    await runPhases(bench);
  } catch (error) {
    // What the target does wrong is data; anything else is ours.
    if (!isKnownError(error) || !(error instanceof TargetError || options.signal.aborted)) {
      await bench.close();
      throw error;
    }
    bench.miss(describeError(error));
  }
  if (options.signal.aborted) bench.miss('the run was ended before it was done');
  return bench.close();
}
