import { Worker } from 'node:worker_threads';
import { besideModule } from '../../../base/beside.ts';
import { HostError } from '../../../base/errors.ts';
import type { CommandCheck } from '../../../instruments/guard/command-shapes/index.ts';

const mostMegabytes = 256;

/** The check of a command line; null when it did not end in time. */
export async function checkInTime(
  command: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CommandCheck | null> {
  const worker = new Worker(besideModule(import.meta.url, 'check-thread'), {
    workerData: command,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const { promise, resolve, reject } = Promise.withResolvers<CommandCheck | null>();
  const giveUp = (): void => resolve(null);
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.once('message', resolve);
  worker.once('error', (cause) => reject(new HostError('the command could not be looked at', { cause })));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    await worker.terminate();
  }
}
