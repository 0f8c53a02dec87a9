import { parentPort, workerData } from 'node:worker_threads';
import { HostError } from '../../../base/errors.ts';
import { BatchSender } from '../batches.ts';
import type { Sighting } from '../contract.ts';
import { Server } from './server.ts';
import type { FromWorker, WorkerOrder } from './worker-messages.ts';

/** The thread of a gvisor-trace sensor. */

if (parentPort === null) throw new HostError('this file is the thread of a sensor, and no program');
const port = parentPort;
const say = (message: FromWorker): void => port.postMessage(message);

const { socketPath, counters, control } = workerData as WorkerOrder;
const batches = new BatchSender<Sighting>(port, counters);
const server = new Server(socketPath, batches, new Int32Array(control));
say({ type: 'listening' });
say({ type: 'end', totals: server.run() });
