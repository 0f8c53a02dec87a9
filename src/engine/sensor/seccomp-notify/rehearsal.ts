import { closeSync, writeSync } from 'node:fs';
import { outcomeSeenFrom } from './exec.ts';
import { addressOf, createPipe, createWaker, pretendedRequests } from './kernel.ts';
import { numberOf } from './numbers.ts';
import { createRecordMemory, RecordTaker } from './record-memory.ts';
import { Watcher } from './watcher.ts';

/**
 * Goes through the motions with calls of our own, so that the first ones of a target do not meet code that has not been
 * compiled yet: compiling takes longer than serving, and takes it from the processors that the target needs. A pipe
 * stands for the kernel; all else is as it will be, but for watchers that are thrown away.
 */

const limitMs = 60;
const mostRounds = 12;
const stayMs = 2;
const memoryPageBytes = 4096;
/** No process has this number: no kernel gives it out. */
const nobody = 0x7fff_fff0;

const one = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);

/** Calls with two addresses, and how they come: over and over for a while, or once. */
interface Scene {
  readonly call: string;
  readonly thread: number;
  readonly first: number;
  readonly second: number;
}

function play(scenes: readonly Scene[]): void {
  const memory = createRecordMemory();
  const taker = new RecordTaker(memory);
  const watcher = new Watcher(memory, { ...pretendedRequests, stayMs });
  const [listener, other] = createPipe();
  try {
    writeSync(other, 'x');
    watcher.listen(listener);
    for (const { call, thread, first, second } of scenes) {
      watcher.caller.pretend(thread, numberOf(call), first, second);
      watcher.turn(0);
      while (taker.take(Number.POSITIVE_INFINITY) !== null) taker.release();
    }
    // It cannot answer what it is asked: giving a listener up is a path of its own.
    const stranger = createWaker();
    writeSync(stranger, one);
    watcher.listen(stranger);
    watcher.turn(0);
  } finally {
    watcher.release();
    closeSync(other);
    closeSync(watcher.waker);
  }
}

export function rehearse(): void {
  const here = process.pid;
  const path = Buffer.from('/usr/share/rehearsal\0');
  const relative = Buffer.from('rehearsal\0');
  const argv = Buffer.alloc(16);
  const [pathAt, relativeAt, argvAt] = [addressOf(path), addressOf(relative), addressOf(argv)];
  argv.writeBigUInt64LE(BigInt(pathAt));
  // A text that begins in one page of memory and ends in the next.
  const pages = Buffer.alloc(2 * memoryPageBytes);
  const crossing = memoryPageBytes - (addressOf(pages) % memoryPageBytes) - 1;
  path.copy(pages, Math.max(0, crossing));
  const crossingAt = addressOf(pages) + Math.max(0, crossing);
  const scenes: readonly Scene[] = [
    { call: 'openat', thread: here, first: 0, second: pathAt },
    { call: 'execve', thread: here, first: pathAt, second: argvAt },
    { call: 'openat', thread: here, first: 2 ** 32 - 100, second: relativeAt },
    { call: 'openat', thread: nobody, first: 0, second: pathAt },
    { call: 'openat', thread: here, first: 0, second: crossingAt },
    { call: 'connect', thread: here, first: 0, second: pathAt },
    { call: 'exit_group', thread: here, first: 0, second: 0 },
  ];
  const lastMs = performance.now() + limitMs;
  for (let round = 0; round < mostRounds && performance.now() < lastMs; round += 1) {
    play(scenes);
    outcomeSeenFrom({ thread: here, record: path, mark: path }, here);
  }
}
