import { Worker } from 'node:worker_threads';
import { besideModule } from '../../../base/beside.ts';
import { HostError, TargetError, UsageError } from '../../../base/errors.ts';
import type { ThreadAnswer, ThreadOrder } from './thread.ts';

/** Runs one order in a thread that is ended when its time is up, whatever the archive makes 7-Zip do. */

const mostHeapMegabytes = 512;
const errorTypes = { UsageError, TargetError, HostError } as const;

export async function inThread(
  order: ThreadOrder,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted();
  const worker = new Worker(besideModule(import.meta.url, 'thread'), {
    workerData: order,
    env: process.env.TZ === undefined ? {} : { TZ: process.env.TZ },
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMegabytes },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const timer = setTimeout(() => reject(new TargetError('the archive took longer to open than allowed')), milliseconds);
  const stop = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve);
  worker.once('error', (cause) => {
    const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
    reject(
      isMemory
        ? new TargetError('the archive wanted more memory than allowed')
        : new HostError('the archive could not be opened', { cause }),
    );
  });
  worker.once('exit', () => reject(new HostError('the thread that opens archives ended without an answer')));
  try {
    const answer = await promise;
    if ('value' in answer) return answer.value;
    const { name, message, hint } = answer.error;
    const type = name === 'UsageError' || name === 'TargetError' ? errorTypes[name] : HostError;
    throw new type(message, hint === undefined ? {} : { hint });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
