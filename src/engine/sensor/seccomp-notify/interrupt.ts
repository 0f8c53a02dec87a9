import koffi from 'koffi';
import { numberOf } from './numbers.ts';

/**
 * Wakes a thread that stands in a call without a time limit: a signal whose handler does nothing makes the call come
 * back as interrupted. Only the one thread gets it. It may be lost when the thread is just outside the call, so whoever
 * needs an answer asks again.
 */

const library = koffi.load(null);
const callSystem: (number: number, first: number, second: number, third: number) => number = library.func(
  'long syscall(long number, long first, long second, long third)',
);
const setAction: (signal: number, action: Buffer, old: null) => number = library.func(
  'int sigaction(int signal, void *action, void *old)',
);
const findFunction: (library: null, name: string) => number | bigint = library.func(
  'uintptr_t dlsym(void *library, str name)',
);

/** One of those that belong to applications; neither Node nor the C library takes any above the first few. */
const wakeSignal = 57;
/** `struct sigaction`: handler u64, mask of 128 bytes, flags i32, restorer u64. No flags: the call is not restarted. */
const actionBytes = 152;
/** Harmless in a handler, and there on every machine. */
const doesNothing = 'getpid';

const numbers = { tgkill: numberOf('tgkill'), gettid: numberOf('gettid') };

/** To be called before any thread is interrupted: without a handler the signal would end the process. */
export function allowInterrupts(): boolean {
  const action = Buffer.alloc(actionBytes);
  action.writeBigUInt64LE(BigInt(findFunction(null, doesNothing)));
  return setAction(wakeSignal, action, null) === 0;
}

export function currentThread(): number {
  return callSystem(numbers.gettid, 0, 0, 0);
}

export function interrupt(thread: number): void {
  callSystem(numbers.tgkill, process.pid, thread, wakeSignal);
}
