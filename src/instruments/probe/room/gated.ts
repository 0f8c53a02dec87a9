import { join, posix } from 'node:path';
import { exitCodes, HostError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import type { Box, BoxProcess } from '../../../engine/box/contract.ts';
import { type BackendId, backends, createBox } from '../../../engine/box/index.ts';
import {
  Capture,
  createAuthority,
  EgressGate,
  httpBridge,
  resolverFile,
  specialKind,
} from '../../../engine/net/index.ts';
import type { RoomPaths } from '../contract.ts';
import type { Pacer } from '../pacer.ts';
import { endsAt, type LoadedScope, namesHost, objectToRequest } from '../scope/index.ts';
import type { OpenRoom, Room, RoomEnd, RoomOptions, RoomRun, RunEnd } from './contract.ts';
import { cutAtEnd, decideFor, objectToClock, type RoomEndTime } from './decide.ts';
import { auditorProgram } from './own-program.ts';
import { roomPolicy } from './policy.ts';
import { Refusals } from './refusals.ts';
import { type Running, supervise } from './supervise.ts';
import { Turns } from './turns.ts';
import { Veil } from './veil.ts';

/** A box in a network of its own, whose only way out is a gate that lets the aim of one scan through. */

export interface GatedRoomMeans {
  readonly scope: LoadedScope;
  readonly backend: BackendId | 'auto';
  readonly runtimeFolder: string;
  readonly dockerSocket: string;
  /** Shared by all scans of a scope. */
  readonly connections: Pacer;
  readonly requests: Pacer;
  readonly mostConnections: number;
}

const outputFileBytes = 64 * mebibyte;
const captureBytes = 256 * mebibyte;
const captureName = 'traffic.pcapng';
/** A target that does not answer a SYN for so long is silent. */
const connectMs = 4000;
/** Beyond it a scanner has given up on a port, and nobody is asked for it any more. */
const heldMs = 10_000;

function hostsFile({ addresses, host }: RoomOptions['aim']): string {
  const own = ['127.0.0.1 localhost', '::1 localhost ip6-localhost'];
  const pins = addresses.includes(host) ? [] : addresses.map((address) => `${address} ${host}`);
  return `${[...own, ...pins].join('\n')}\n`;
}

async function openBridge(
  options: RoomOptions,
  means: GatedRoomMeans,
  time: RoomEndTime,
  refusals: Refusals,
  count: () => void,
) {
  if (!options.screened) return null;
  const { credential } = options;
  const turns = new Turns(means.requests);
  return httpBridge({
    authority: await createAuthority(),
    judge: ({ method, authority, paths, isTls, port }) => {
      const scheme = isTls ? 'https' : 'http';
      const asked = { scheme, host: authority.host, port, method, paths } as const;
      const objection = objectToClock(time, Date.now()) ?? objectToRequest(means.scope, asked);
      if (objection !== null) refusals.add(`${method} ${paths[0] ?? ''}`, objection);
      return objection;
    },
    judgeName: (name) => (namesHost(means.scope, name) ? null : `the name ${name} in a TLS hello is not in the scope`),
    pace: (signal) => turns.take(signal),
    onRequest: (_, outcome) => {
      if (outcome.is === 'allowed') count();
    },
    inject: credential === null ? null : { header: credential.header, value: credential.value },
  });
}

function asRunning(child: BoxProcess, veil: Veil): Running {
  child.stdin.on('error', () => {
    // EPIPE: a scanner reads nothing.
  });
  child.stdin.end();
  return {
    stdout: veil.over(child.stdout),
    stderr: veil.over(child.stderr),
    kill: (signal) => child.kill(signal),
    exited: child.exited.then(({ code, limitsHit, droppedOutputBytes }) => ({
      code,
      notes: [
        ...limitsHit.map(({ limit, detail }) => `limit ${limit}: ${detail}`),
        ...(droppedOutputBytes > 0 ? [`${droppedOutputBytes} bytes of output were dropped at the limit`] : []),
      ],
    })),
  };
}

interface Opened {
  readonly gate: EgressGate;
  readonly box: Box;
  readonly capture: Capture | null;
  readonly refusals: Refusals;
  readonly counts: { connections: number; requests: number };
  readonly ending: NodeJS.Timeout | undefined;
}

class GatedRoom implements Room {
  readonly #options: RoomOptions;
  readonly #opened: Opened;
  readonly paths: RoomPaths;

  constructor(options: RoomOptions, opened: Opened) {
    this.#options = options;
    this.#opened = opened;
    this.paths = { work: opened.box.folders.work, auditors: auditorProgram() };
  }

  async run(run: RoomRun): Promise<RunEnd> {
    const rawFile = join(this.#options.folder, 'raw.txt');
    const veil = new Veil(this.#options.credential);
    const { box } = this.#opened;
    const { work } = box.folders;
    for (const { name, content } of run.files) await box.put(posix.join(work, name), content);
    run.signal.throwIfAborted();
    const child = await box.spawn(run.argv, { cwd: work, environment: run.environment });
    this.#opened.refusals.begin();
    const ended = await supervise(asRunning(child, veil), { ...run, rawFile });
    const outputFile =
      run.outputFile === undefined
        ? null
        : await box.get(posix.join(work, run.outputFile), outputFileBytes).catch(() => null);
    return { ...ended, outputFile: outputFile === null ? null : veil.hide(outputFile), rawFile };
  }

  async close(): Promise<RoomEnd> {
    const { box, capture, gate, refusals, counts, ending } = this.#opened;
    clearTimeout(ending);
    await box.close().catch(() => undefined);
    const captured = await capture?.stop().catch(() => null);
    const wire = await gate.close();
    const isCaptured = capture === null || (captured?.problem === null && (captured.dropped ?? 0) === 0);
    return {
      by: 'gate',
      ...counts,
      refused: refusals.list(),
      capture: capture === null ? null : join(this.#options.folder, captureName),
      isComplete: wire.isComplete && isCaptured,
    };
  }
}

/** Those that can stand behind a gate, the strongest first. */
const gatedBackends: readonly BackendId[] = ['gvisor', 'runc', 'bwrap'];

/** The strongest that the scanner works in; where there is none, the strongest. */
async function chooseBackend({ avoids }: RoomOptions, means: GatedRoomMeans): Promise<BackendId | 'auto'> {
  const { backend, runtimeFolder, dockerSocket } = means;
  if (backend !== 'auto' || avoids === undefined) return backend;
  for (const id of gatedBackends.filter((each) => each !== avoids)) {
    const checked = await backends.find((each) => each.id === id)?.check({ runtimeFolder, dockerSocket });
    if (checked?.is === 'yes') return id;
  }
  return backend;
}

async function openBox(options: RoomOptions, means: GatedRoomMeans, { namespaces }: EgressGate): Promise<Box> {
  const { aim, timeoutMs } = options;
  const { runtimeFolder, dockerSocket } = means;
  const box = await createBox(roomPolicy(aim, timeoutMs), {
    backend: await chooseBackend(options, means),
    runtimeFolder,
    dockerSocket,
    network: { path: namespaces.boxPath, names: namespaces.paths },
    systemFiles: [resolverFile, { path: '/etc/hosts', content: hostsFile(aim) }],
  });
  if (box.record.isOnNetwork) return box;
  await box.close();
  throw new HostError(`a box of ${box.record.backend} cannot stand behind the gate that keeps the scope`, {
    hint: 'install runsc, runc or bubblewrap: hotcell doctor --fix',
    exitCode: exitCodes.noIsolation,
  });
}

async function openGate(
  options: RoomOptions,
  means: GatedRoomMeans,
  time: RoomEndTime,
  { refusals, counts }: Pick<Opened, 'refusals' | 'counts'>,
) {
  const { aim, id, timeoutMs } = options;
  const bridge = await openBridge(options, means, time, refusals, () => {
    counts.requests += 1;
  });
  const turns = new Turns(means.connections);
  return EgressGate.start({
    runId: id,
    policy: roomPolicy(aim, timeoutMs),
    decide: decideFor(means.scope, aim, time),
    holdsHandshakes: true,
    hostLoopback: aim.addresses.filter((address) => specialKind(address) === 'loopback'),
    pace: (signal) => turns.take(signal),
    limits: { connections: means.mostConnections, connectMs, heldMs },
    ...(bridge === null ? {} : { bridge }),
    onEvents: (events) => {
      for (const event of events) {
        if (event.kind === 'egress-allowed') counts.connections += 1;
        refusals.see(event);
      }
    },
  });
}

function needRoot(): void {
  if (process.getuid?.() === 0) return;
  throw new HostError('the gate that keeps the scope on the wire needs root', {
    hint: 'run it as root, or in the disposable image with --network-layer outside and hotcell probe egress on the host',
    exitCode: exitCodes.noIsolation,
  });
}

export function gatedRooms(means: GatedRoomMeans): OpenRoom {
  return async (options) => {
    needRoot();
    const refusals = new Refusals();
    const counts = { connections: 0, requests: 0 };
    const time = { untilMs: endsAt(means.scope, Date.now()) ?? Number.POSITIVE_INFINITY };
    const gate = await openGate(options, means, time, { refusals, counts });
    const ending = cutAtEnd(gate, time);
    let box: Box | null = null;
    let capture: Capture | null = null;
    try {
      const file = join(options.folder, captureName);
      const capturing = Capture.start(gate.namespaces, { file, largestBytes: captureBytes });
      const [opened, captured] = await Promise.allSettled([openBox(options, means, gate), capturing]);
      if (opened.status === 'fulfilled') box = opened.value;
      if (captured.status === 'fulfilled') capture = captured.value;
      if (opened.status === 'rejected') throw opened.reason;
      if (captured.status === 'rejected') throw captured.reason;
      return new GatedRoom(options, { gate, box: opened.value, capture, refusals, counts, ending });
    } catch (error) {
      clearTimeout(ending);
      // What one of them says must not keep the others open.
      await box?.close().catch(() => undefined);
      await capture?.stop().catch(() => undefined);
      await gate.close();
      throw error;
    }
  };
}
