import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../../../src/base/errors.ts';
import { mebibyte } from '../../../src/base/limits.ts';
import type { Policy, Tier } from '../../../src/base/policy-schema.ts';
import {
  type BackendId,
  type Box,
  type BoxProcess,
  type CreateBoxOptions,
  createBox,
  type ExitStatus,
} from '../../../src/engine/box/index.ts';
import { type Gap, tierPolicy } from '../../../src/engine/policy/index.ts';
import { type Attempt, programOf } from './attempt.ts';
import { act, type HostAction } from './host/actions.ts';
import { MemoryMeter } from './host/memory-meter.ts';
import type { Scene } from './host/scene.ts';
import type { Witness } from './host/witness.ts';
import { type Cell, type Evidence, judge } from './judge.ts';
import type { Neighbour } from './neighbour.ts';

/** Runs one attempt in a box of its own and looks at it from both sides. */

export interface Stage {
  readonly scene: Scene;
  readonly witness: Witness;
  readonly neighbour: Neighbour;
  readonly backend: BackendId;
  /** What the backend says that it cannot do. */
  readonly gaps: readonly Gap[];
  readonly options: CreateBoxOptions;
}

const usualWallMs = 45_000;
const endGraceMs = 20_000;
const drainMs = 5000;
const keptOutputBytes = 2 * mebibyte;
const keptErrorBytes = 4096;
/** How much hotcell itself may grow while a target floods it. */
const growthBytes = 50 * mebibyte;

/** Backends that have a numbering of processes of their own. */
const hasOwnProcesses: readonly BackendId[] = ['gvisor', 'runc', 'bwrap', 'docker'];

function policyFor(attempt: Attempt, tier: Tier): Policy {
  const policy = tierPolicy(tier);
  return { ...policy, limits: { ...policy.limits, wallMs: usualWallMs, ...attempt.options.limits } };
}

function parametersFor(
  box: Box,
  policy: Policy,
  { scene, neighbour, backend, options }: Stage,
  token: string,
): Record<string, string> {
  const { limits } = policy;
  return {
    ...scene.parameters,
    ...neighbour.parameters,
    token,
    tmp: `${box.folders.tmp}/${token}`,
    work: box.folders.work,
    airlock: join(scene.runtimeFolder, 'boxes', box.record.id, 'airlock'),
    dockerSocket: options.dockerSocket ?? '',
    hasOwnProcesses: hasOwnProcesses.includes(backend) ? '1' : '0',
    memory: String(limits.memoryBytes),
    processes: String(limits.processes),
    disk: String(limits.diskBytes),
    file: String(limits.fileBytes),
    openFiles: String(limits.openFiles),
    cores: String(limits.cpuCores),
  };
}

/** Keeps the end of a stream without copying it for every piece that comes in. */
class Tail {
  readonly #capBytes: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    while (this.#bytes - (this.#pieces[0]?.length ?? 0) > this.#capBytes)
      this.#bytes -= this.#pieces.shift()?.length ?? 0;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString('latin1');
  }
}

/** What a program prints, and a promise of its being ready. */
class Listener {
  readonly output = new Tail(keptOutputBytes);
  readonly errors = new Tail(keptErrorBytes);
  readonly isReady: Promise<void>;
  hasBeenReady = false;
  /** Resolves when everything that was printed has arrived, which may be a little after the end of the program. */
  readonly isDrained: Promise<unknown>;

  constructor(child: BoxProcess) {
    const ended = (stream: Readable): Promise<void> => finished(stream, { writable: false }).catch(() => undefined);
    this.isDrained = Promise.all([ended(child.stdout), ended(child.stderr)]);
    let seenBytes = 0;
    this.isReady = new Promise((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        this.output.add(chunk);
        seenBytes += chunk.length;
        // The word comes before anything that could be long.
        if (this.hasBeenReady || seenBytes > keptErrorBytes || !/^ready/m.test(this.output.text)) return;
        this.hasBeenReady = true;
        resolve();
      });
    });
    child.stderr.on('data', (chunk: Buffer) => this.errors.add(chunk));
  }
}

/** Never rejects: what went wrong is part of the evidence. */
async function watch(
  child: BoxProcess,
  listener: Listener,
  attempt: Attempt,
  action: HostAction,
  deadlineMs: number,
): Promise<Pick<Evidence, 'status' | 'hostClaim' | 'failure'>> {
  const cancel = new AbortController();
  let hostClaim: string | null = null;
  let failure: string | null = null;
  const { host } = attempt.options;
  const acted =
    host === undefined
      ? null
      : listener.isReady.then(async () => {
          try {
            hostClaim = await act(host, action);
          } catch (error) {
            failure = describeError(error);
          }
          child.stdin.write('go\n');
        });
  const late = sleep(deadlineMs, null, { signal: cancel.signal }).catch(() => null);
  const status = await Promise.race([child.exited, late]);
  if (status !== null)
    await Promise.race([listener.isDrained, sleep(drainMs, null, { signal: cancel.signal }).catch(() => null)]);
  // The host may still be at it when the target is gone.
  if (acted !== null && listener.hasBeenReady) await Promise.race([acted, late]);
  cancel.abort();
  return { status, hostClaim, failure };
}

export async function runAttempt(attempt: Attempt, tier: Tier, stage: Stage): Promise<Cell> {
  const { scene, witness, neighbour, backend, gaps, options } = stage;
  const token = randomBytes(8).toString('hex');
  const policy = policyFor(attempt, tier);
  const evidence = {
    backend,
    output: '',
    errors: '',
    status: null as ExitStatus | null,
    hostClaim: null as string | null,
    failure: null as string | null,
  };
  let boxId: string | null = null;
  // Only where nothing else runs: it is the whole process that grows.
  const meter = attempt.options.isAlone ? new MemoryMeter() : null;
  try {
    const box = await createBox(policy, options);
    boxId = box.record.id;
    try {
      const program = join(box.folders.work, 'attempt.pl');
      await box.put(program, programOf(attempt.file));
      const parameters = parametersFor(box, policy, stage, token);
      const child = await box.spawn([
        '/usr/bin/perl',
        program,
        ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`),
      ]);
      child.stdin.on('error', () => undefined);
      const listener = new Listener(child);
      const seen = await watch(
        child,
        listener,
        attempt,
        { box, scene, tmp: `${box.folders.tmp}/${token}`, token, cores: policy.limits.cpuCores },
        policy.limits.wallMs + endGraceMs,
      );
      Object.assign(evidence, seen, { output: listener.output.text, errors: listener.errors.text });
    } finally {
      await box.close();
    }
  } catch (error) {
    evidence.failure = describeError(error);
  }
  const grownBytes = meter?.close().grownBytes ?? 0;
  const grown = grownBytes > growthBytes ? [`hotcell grew by ${Math.round(grownBytes / mebibyte)} MiB`] : [];
  const outside = [...(await witness.look({ token, boxId })), ...neighbour.takeVisits(), ...grown];
  return judge(attempt, { ...evidence, outside, gaps }, { ...scene, secrets: [...scene.secrets, neighbour.secret] });
}
