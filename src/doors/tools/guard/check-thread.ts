import { parentPort, workerData } from 'node:worker_threads';
import { checkCommand } from '../../../instruments/guard/command-shapes/index.ts';

/** Looks at one command in a thread of its own, so that it can be ended. */
parentPort?.postMessage(checkCommand(String(workerData)));
