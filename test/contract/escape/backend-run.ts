import type { Tier } from '../../../src/base/policy-schema.ts';
import type { BackendId, BoxBackend, CreateBoxOptions } from '../../../src/engine/box/index.ts';
import { type Attempt, holdsInEveryTier } from './attempt.ts';
import { type DockerEngine, hasDockerEngine, startDockerEngine } from './host/docker-engine.ts';
import { setScene } from './host/scene.ts';
import { openWitness } from './host/witness.ts';
import { type Cell, worst } from './judge.ts';
import { startNeighbour } from './neighbour.ts';
import { runAttempt, type Stage } from './run.ts';

/** Every attempt on one backend. */

export interface BackendRun {
  readonly cells: ReadonlyMap<string, Cell>;
  /** Containers that an engine of the test still had at the end. */
  readonly containersLeft: readonly string[];
}

const atOnce = 2;

/** Runs the work two at a time, and after that what must not have company. */
async function inTurns(list: readonly Attempt[], work: (attempt: Attempt) => Promise<void>): Promise<void> {
  const queue = list.filter(({ options }) => options.isAlone === undefined);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  for (const attempt of list.filter(({ options }) => options.isAlone)) await work(attempt);
}

/**
 * What has to hold in every tier is tried in the most trusting one, which allows whatever the others do (a test of the
 * tiers says so). For the table in the reference both ends are tried.
 */
function tiersFor(attempt: Attempt): readonly Tier[] {
  if (!holdsInEveryTier(attempt)) return ['LOW'];
  return process.env.HOTCELL_UPDATE_MATRIX === '1' ? ['LOW', 'CRITICAL'] : ['CRITICAL'];
}

async function runAll(attempts: readonly Attempt[], stage: Stage): Promise<ReadonlyMap<string, Cell>> {
  const cells = new Map<string, Cell>();
  await inTurns(attempts, async (attempt) => {
    const seen: Cell[] = [];
    for (const tier of tiersFor(attempt)) seen.push(await runAttempt(attempt, tier, stage));
    cells.set(attempt.id, worst(seen));
  });
  return cells;
}

/** Why this backend cannot be tried here, or null. */
export async function whyNot(backend: BoxBackend, runtimeFolder: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'root is needed to plant bait of other users';
  // The engine is the test's own and not started yet.
  if (backend.id === 'docker') return hasDockerEngine() ? null : 'there is no dockerd on this machine';
  const found = await backend.probe({ runtimeFolder });
  if (found.is === 'yes') return null;
  return found.is === 'not-available'
    ? found.because
    : found.is === 'error'
      ? found.error.message
      : 'it does not work here';
}

export async function runBackend(backend: BoxBackend, attempts: readonly Attempt[]): Promise<BackendRun> {
  await using undo = new AsyncDisposableStack();
  const engine = backend.id === 'docker' ? await startEngine(undo) : null;
  const scene = await setScene();
  undo.defer(() => scene.close());
  const options: CreateBoxOptions & { readonly backend: BackendId } = {
    backend: backend.id,
    runtimeFolder: scene.runtimeFolder,
    ...(engine === null ? {} : { dockerSocket: engine.socket }),
  };
  const witness = openWitness(scene);
  undo.defer(() => witness.close());
  const neighbour = await startNeighbour(options);
  undo.defer(() => neighbour.close());
  const cells = await runAll(attempts, {
    scene,
    witness,
    neighbour,
    backend: backend.id,
    gaps: backend.cannot,
    options,
  });
  await neighbour.close();
  return { cells, containersLeft: (await engine?.containers()) ?? [] };
}

async function startEngine(undo: AsyncDisposableStack): Promise<DockerEngine> {
  const engine = await startDockerEngine();
  undo.defer(() => engine.close());
  return engine;
}
