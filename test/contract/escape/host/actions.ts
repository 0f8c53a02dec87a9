import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, isKnownError } from '../../../../src/base/errors.ts';
import type { Box } from '../../../../src/engine/box/index.ts';
import type { Scene } from './scene.ts';
import { findProcesses, readOr } from './witness.ts';

/** What the host does for an attempt that tries to lead the host astray. Returns how it was led astray, or null. */

export interface HostAction {
  readonly box: Box;
  readonly scene: Scene;
  /** The folder in the box that the attempt works in. */
  readonly tmp: string;
  readonly token: string;
  readonly cores: number;
}

type Act = (action: HostAction) => Promise<string | null>;

const getCap = 1024 * 1024;
const hangMs = 15_000;

/** A refusal is fine, whatever its words. An error that is none of ours and a wait without end are thrown: no answer. */
async function guarded<T>(work: Promise<T>, held: (value: T) => string | null): Promise<string | null> {
  const done = new AbortController();
  const hang = sleep(hangMs, null, { signal: done.signal }).then(
    () => Promise.reject(new Error('the host hangs')),
    () => null,
  );
  try {
    return await Promise.race([work.then(held), hang]);
  } catch (error) {
    if (isKnownError(error)) return null;
    throw new Error(`the host failed: ${describeError(error)}`, { cause: error });
  } finally {
    done.abort();
  }
}

function get(box: Box, path: string, scene: Scene): Promise<string | null> {
  return guarded(box.get(path, getCap), (bytes) => {
    const isSecret =
      scene.secrets.some((secret) => bytes.includes(secret)) ||
      scene.hostFiles.some((file) => bytes.length > 0 && file.includes(bytes.subarray(0, 64)));
    return isSecret ? `the host fetched a file of its own through ${path}` : null;
  });
}

/** The witness sees where it went. */
function put(box: Box, path: string): Promise<string | null> {
  return guarded(box.put(path, Buffer.from('written by the host\n')), () => null);
}

function listChanges({ box, scene }: HostAction): Promise<string | null> {
  const secretHash = createHash('sha256').update(readFileSync(scene.files.secretFile)).digest('hex');
  return guarded(box.diff(), ({ changes }) => {
    const followed = changes.find(({ sha256, path }) => sha256 === secretHash || path.includes('folder-link/'));
    return followed === undefined ? null : `the host followed ${followed.path}`;
  });
}

async function firstOf(acts: readonly (() => Promise<string | null>)[]): Promise<string | null> {
  for (const act of acts) {
    const result = await act();
    if (result !== null) return result;
  }
  return null;
}

/** Resolves with true when somebody took the connection. */
function connects(where: { port: number; host: string } | { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(where);
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

const raceRounds = 150;

async function race({ box, scene, tmp }: HostAction): Promise<string | null> {
  for (let round = 0; round < raceRounds; round += 1) {
    const result = await firstOf([
      () => get(box, `${tmp}/spot/secret`, scene),
      () => put(box, `${tmp}/spot/planted-by-host`),
    ]);
    if (result !== null) return result;
  }
  return null;
}

const ticksPerSecond = 100;
const measureMs = 2500;
/** A period that began with saved-up time, and clocks that tick in hundredths. */
const tolerance = { factor: 1.5, cores: 0.1 } as const;

/** Below that the wrong processes were measured. */
const leastShare = 0.2;

/** The processes that carry a mark, and all that came from them: gVisor runs a target in processes without a name. */
function family(marks: readonly string[]): ReadonlySet<number> {
  const members = new Set(marks.flatMap(findProcesses));
  const parents = findProcesses('').map((pid) => ({ pid, parent: Number(statFields(pid)[1] ?? 0) }));
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of parents) if (members.has(parent)) members.add(pid);
  }
  return members;
}

/** /proc/PID/stat from the state on. */
function statFields(pid: number): readonly string[] {
  return readOr(`/proc/${pid}/stat`, '')
    .replace(/^.*\) /, '')
    .split(' ');
}

/** Processor time of everything that belongs to the box, in seconds. */
function processorSeconds(marks: readonly string[]): number {
  const ticks = [...family(marks)].map((pid) => Number(statFields(pid)[11] ?? 0) + Number(statFields(pid)[12] ?? 0));
  return ticks.reduce((sum, own) => sum + own, 0) / ticksPerSecond;
}

async function measureProcessors({ box, token, cores }: HostAction): Promise<string | null> {
  const marks = [token, box.record.id];
  const begin = { seconds: processorSeconds(marks), at: performance.now() };
  await sleep(measureMs);
  const used = ((processorSeconds(marks) - begin.seconds) * 1000) / (performance.now() - begin.at);
  if (used < cores * leastShare) throw new Error(`cannot measure: ${used.toFixed(2)} processors`);
  return used > cores * tolerance.factor + tolerance.cores
    ? `it used ${used.toFixed(2)} processors, its share is ${cores}`
    : null;
}

const acts = {
  'get-file': ({ box, scene, tmp }) => get(box, `${tmp}/loot`, scene),
  'get-process': ({ box, scene, tmp }) => get(box, `${tmp}/loot`, scene),
  'get-folder': ({ box, scene, tmp }) => get(box, `${tmp}/folder/secret`, scene),
  'get-endless': ({ box, scene, tmp }) =>
    firstOf([() => get(box, `${tmp}/fifo`, scene), () => get(box, `${tmp}/zero`, scene)]),
  'put-file': ({ box, tmp }) => put(box, `${tmp}/inbox`),
  'put-folder': ({ box, tmp, token }) => put(box, `${tmp}/outbox/planted-${token}`),
  'list-changes': listChanges,
  'list-names': ({ box, tmp }) =>
    guarded(box.diff(), ({ changes }) => {
      const inside = changes.filter(({ path }) => path.startsWith(`${tmp}/`));
      return inside.length === 13 ? null : `the host lists ${inside.length} of 13 files`;
    }),
  race,
  'measure-processors': measureProcessors,
  'connect-abstract': async ({ token }) =>
    (await connects({ path: `\0hotcell-${token}` })) ? 'a program of the host can reach it' : null,
  'connect-port': async ({ scene }) =>
    (await connects({ port: scene.listeners.freePort, host: '127.0.0.1' }))
      ? 'a program of the host can reach it'
      : null,
  'send-port': async ({ scene }) => {
    const socket = createSocket('udp4');
    await new Promise((resolve) => socket.send('hello', scene.listeners.freePort, '127.0.0.1', resolve));
    socket.close();
    return null;
  },
} as const satisfies Record<string, Act>;

export type HostActionId = keyof typeof acts;

export function act(id: HostActionId, action: HostAction): Promise<string | null> {
  return acts[id](action);
}
