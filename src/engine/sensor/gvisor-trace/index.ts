import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { besideModule } from '../../../base/beside.ts';
import { describeError, HostError } from '../../../base/errors.ts';
import type { Completeness } from '../../../base/event-schema.ts';
import { runToolOrFail } from '../../../base/process.ts';
import { findTool } from '../../host/find-tool.ts';
import { createCounters, receiveBatches } from '../batches.ts';
import type { OpenSensor, SensorOptions, Sighting, SystemCallSensor } from '../contract.ts';
import { gvisorTraceCannot } from './cannot.ts';
import { longestSocketPath } from './packet-socket.ts';
import { parsePointNames, sessionFile, wantedPoints } from './points.ts';
import { isFromWorker, type Totals, type WorkerOrder } from './worker-messages.ts';

const id = 'gvisor-trace';
const metadataBytes = 4 * 1024 * 1024;

export const gvisorTrace: SystemCallSensor = {
  id,
  title: "gVisor's own trace of what its processes do, sent from before the first instruction",
  backends: ['gvisor'],
  sees: [
    'fork',
    'exec',
    'exit',
    'open',
    'unlink',
    'rename',
    'link',
    'chmod',
    'mkdir',
    'connect',
    'bind',
    'listen',
    'send-to',
    'ptrace',
    'memfd',
    'set-user',
    'kernel',
    'heartbeat',
  ],
  cannot: gvisorTraceCannot,
  open: openTrace,
};

function workerFile(): URL {
  return besideModule(import.meta.url, 'worker');
}

interface Place {
  readonly socket: string;
  readonly session: string;
  remove(): void;
}

/** A socket's path must be short. Where the folder's is long, the socket gets one of its own. */
function choosePlace(folder: string): Place {
  const name = `trace-${randomBytes(4).toString('hex')}`;
  const session = join(folder, `${name}.json`);
  const near = join(folder, `${name}.sock`);
  const isShort = Buffer.byteLength(near) <= longestSocketPath;
  const own = isShort ? null : mkdtempSync(join(tmpdir(), 'hotcell-'));
  const socket = own === null ? near : join(own, 'trace.sock');
  const remove = (): void => {
    rmSync(own ?? socket, { recursive: true, force: true });
    rmSync(session, { force: true });
  };
  return { socket, session, remove };
}

/** What this gVisor does not have of what is asked for. */
async function findMissingPoints(): Promise<readonly string[]> {
  const program = await findTool('runsc');
  if (program === null) throw new HostError('runsc is not installed', { hint: 'apt-get install runsc' });
  const { stdout } = await runToolOrFail(program, ['trace', 'metadata'], { maxOutputBytes: metadataBytes });
  const names = parsePointNames(stdout.toString('latin1'));
  return wantedPoints()
    .map(({ name }) => name)
    .filter((name) => !names.has(name));
}

async function openTrace({ folder, onSightings }: SensorOptions): Promise<OpenSensor> {
  const missingPoints = await findMissingPoints();
  const place = choosePlace(folder);
  const counters = createCounters();
  const control = new SharedArrayBuffer(8);
  let totals: Totals | null = null;
  let diedAt: string | null = null;
  const markDead = (): void => {
    diedAt ??= new Date().toISOString();
  };

  const order: WorkerOrder = { socketPath: place.socket, counters, control };
  const worker = new Worker(workerFile(), { workerData: order });
  const batches = receiveBatches<Sighting>(worker, counters, onSightings, markDead);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const listening = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (!isFromWorker(message)) return;
      if (message.type === 'listening') resolve();
      else totals = message.totals;
    });
    worker.once('error', (cause) => {
      markDead();
      reject(new HostError(`the ${id} sensor failed: ${describeError(cause)}`, { cause }));
    });
    worker.once('exit', () => {
      if (totals === null) markDead();
      reject(new HostError(`the ${id} sensor ended before it had begun`));
    });
  });
  try {
    await listening;
    writeFileSync(place.session, sessionFile(wantedPoints(), place.socket), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    Atomics.store(new Int32Array(control), 0, 1);
    await exited;
    place.remove();
    throw error;
  }

  const close = async (): Promise<Completeness> => {
    const flags = new Int32Array(control);
    Atomics.store(flags, 0, 1);
    await exited;
    await batches.settled();
    place.remove();
    const end = totals;
    if (end === null || end.abandoned > 0) markDead();
    return {
      source: id,
      attachedBeforeExec: end !== null && end.sandboxes > 0 && end.isFromStart,
      received: end?.received ?? 0,
      dropped: end?.lost ?? 0,
      merged: 0,
      truncated: end?.truncated ?? 0,
      missingPoints: [...missingPoints],
      heartbeats: { expected: 0, seen: end?.heartbeats ?? 0 },
      ...(diedAt === null ? {} : { diedAt }),
    };
  };
  let closing: Promise<Completeness> | null = null;
  return {
    hooks: { traceSession: place.session },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
