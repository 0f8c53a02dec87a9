import { parentPort, workerData } from 'node:worker_threads';
import { describeError, isKnownError } from '../../../base/errors.ts';
import type { CreateOrder } from './contract.ts';
import { createHere } from './create.ts';
import { extractHere, listHere, type OpenOrder } from './open.ts';

/** The thread that opens one archive. It has no time limit of its own: whoever started it ends it. */

export type ThreadOrder =
  | { readonly task: 'list' | 'extract'; readonly order: Omit<OpenOrder, 'tick'> }
  | { readonly task: 'create'; readonly order: Omit<CreateOrder, 'signal'> };

export type ThreadAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly message: string; readonly hint?: string } };

const tick = (): void => undefined;

async function answer(given: ThreadOrder): Promise<ThreadAnswer> {
  try {
    if (given.task === 'create') return { value: await createHere(given.order) };
    if (given.task === 'list') return { value: await listHere({ ...given.order, tick }) };
    return { value: await extractHere({ ...given.order, tick }) };
  } catch (error) {
    if (!isKnownError(error)) return { error: { name: 'HostError', message: describeError(error) } };
    const { name, message, hint } = error;
    return { error: { name, message, ...(hint === undefined ? {} : { hint }) } };
  }
}

/** Handed over, not copied: an archive may hold more than would fit twice. */
function buffersOf(given: ThreadAnswer): readonly ArrayBuffer[] {
  const value = 'value' in given ? (given.value as { readonly entries?: readonly object[] }) : {};
  const buffers = (value.entries ?? []).flatMap((entry) =>
    'bytes' in entry ? [(entry.bytes as Uint8Array).buffer] : [],
  );
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}

const done = await answer(workerData as ThreadOrder);
parentPort?.postMessage(done, buffersOf(done));
