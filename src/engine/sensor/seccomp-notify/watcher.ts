import { closeSync, readSync } from 'node:fs';
import { Caller } from './caller.ts';
import { endCall, type WatchedCall, watchedCalls } from './calls.ts';
import { outcomeSeenFrom, outcomeWhenIdle } from './exec.ts';
import {
  addressOf,
  control,
  createWaker,
  errors,
  lastError,
  Poll,
  ProcessInfo,
  requests,
  wakeTogether,
} from './kernel.ts';
import { labelBytes } from './label.ts';
import type { Counts } from './messages.ts';
import { byNumber } from './numbers.ts';
import { readArguments, readEndedStat, readName, readProgramMark } from './proc.ts';
import { type Known, Processes } from './processes.ts';
import { RecordWriter, recordTypes, states } from './record.ts';
import type { RecordMemory } from './record-memory.ts';

/**
 * Serves the notifications of a box: takes one, writes down what its arguments point to while the caller waits, and lets
 * the caller go on. The answer is always the same: go on. Callers wait for this, so nothing else is done here.
 */

const ordinaryManner = { receive: requests.receive, send: requests.send, stayMs: 10 };
const execCheckMs = 50;
const longestWaitMs = 1000;
const endLimitMs = 1000;
const mostDriftMs = 3;

/** `struct seccomp_notif_resp`: id u64, value i64, error i32, flags u32. */
const responseWords = 6;
const responseFlagsAt = 5;
const continueFlag = 1;

const ending: WatchedCall = { kind: 'exit', readings: [], events: () => [] };

export interface WatcherManner {
  readonly receive: number;
  readonly send: number;
  /** How long one listener is served without a look at anything else. Numbers are not used again as quickly as that. */
  readonly stayMs: number;
}

/** A call that was written down and whose caller still waits. */
interface Written {
  readonly known: Known;
  readonly kind: WatchedCall['kind'];
  /** False when there is nothing to tell after all. */
  readonly hasNews: boolean;
  readonly mark: Buffer | null;
}

/**
 * Where the one clock stands when the other is at zero. The closest of several readings, because the first one of a clock
 * can take a millisecond.
 */
function findOriginNs(): number {
  let origin = Number.NEGATIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const ns = Number(process.hrtime.bigint());
    origin = Math.max(origin, ns - performance.now() * 1e6);
  }
  return origin;
}

export class Watcher {
  /** Written to, it wakes the loop. */
  readonly waker = createWaker();
  /** There is a message to be read. */
  isWoken = false;
  /** Listeners that have nobody left. */
  readonly gone: number[] = [];
  readonly #callers: number[] = [];
  readonly #poll = new Poll();
  readonly #writer: RecordWriter;
  /** The one who waits. */
  readonly caller: Caller;
  readonly #receive: number;
  readonly #send: number;
  readonly #stayMs: number;
  readonly #responseWords = new Uint32Array(responseWords);
  readonly #response = addressOf(Buffer.from(this.#responseWords.buffer));
  readonly #wakeCount = Buffer.alloc(8);
  readonly #info = new ProcessInfo();
  readonly #listeners = new Set<number>();
  readonly #ends = new Map<number, Known>();
  readonly #processes = new Processes({
    beforeMeeting: () => {
      if (this.#poll.wait(0) > 0) this.#takeEnds();
    },
    onMet: (known) => this.#meet(known),
  });
  readonly #execs = new Set<Known>();
  readonly #calls = byNumber<WatchedCall>([...watchedCalls, [endCall, ending]]);
  /** Clocks are read once per record; the others follow from this one. */
  readonly #originNs = findOriginNs();
  #wallOriginMs = performance.timeOrigin;
  #nowMs = 0;
  /** Processes that are about to end. */
  #leaving = 0;
  #lost = 0;

  constructor(memory: RecordMemory, { receive, send, stayMs }: WatcherManner = ordinaryManner) {
    this.#receive = receive;
    this.#send = send;
    this.#stayMs = stayMs;
    this.#writer = new RecordWriter(memory);
    this.caller = new Caller(this.#writer);
    this.#responseWords[responseFlagsAt] = continueFlag;
    this.#poll.add(this.waker);
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: number): void {
    wakeTogether(listener);
    this.#listeners.add(listener);
    this.#poll.add(listener);
  }

  drop(listener: number): void {
    this.#listeners.delete(listener);
    this.#poll.remove(listener);
    closeSync(listener);
  }

  /** One round. What it found lies in `isWoken` and `gone` until the next: nothing is made anew for every call. */
  turn(mostMs: number = longestWaitMs): void {
    this.gone.length = 0;
    this.#callers.length = 0;
    this.isWoken = false;
    const count = this.#poll.wait(Math.min(mostMs, this.#patience()));
    this.#followWallClock();
    if (count === 0) {
      this.#idle();
      return;
    }
    // Before any notification: a number may be in use again.
    this.#takeEnds();
    for (let place = 0; place < this.#poll.count; place += 1) {
      if (!this.#poll.isReady(place)) continue;
      const fd = this.#poll.fd(place);
      if (fd === this.waker) this.isWoken = this.#readWaker();
      else if (!this.#listeners.has(fd)) continue;
      else if (this.#poll.isReadable(place)) this.#callers.push(fd);
      else this.gone.push(fd);
    }
    for (const listener of this.#callers) this.#serve(listener);
    const [only] = this.#callers;
    if (only !== undefined && this.#listeners.size === 1 && !this.isWoken) this.#stay(only);
  }

  /**
   * Callers mostly come one after the other, so the next one is waited for without asking first whether there is one.
   * Our owner interrupts this when nobody comes. Nobody stays while a process is about to end: that is not seen here.
   */
  #stay(listener: number): void {
    const lastMs = this.#nowMs + this.#stayMs;
    this.#writer.setStanding(true);
    while (this.#leaving === 0 && this.#nowMs < lastMs && this.#serve(listener));
    this.#writer.setStanding(false);
  }

  /** Of what `poll` found. Each that is taken out moves another to its place, so it goes from the last to the first. */
  #takeEnds(): void {
    if (this.#ends.size === 0) return;
    for (let place = this.#poll.count - 1; place >= 0; place -= 1) {
      if (!this.#poll.isReady(place)) continue;
      const ended = this.#ends.get(this.#poll.fd(place));
      if (ended !== undefined) this.#end(ended);
    }
  }

  /** Takes in what has ended and lets go of all descriptors but the waker. */
  close(): Counts {
    // A listener is told that its last caller is gone slightly before that process has ended.
    const lastMs = performance.now() + endLimitMs;
    while (this.#ends.size > 0 && performance.now() < lastMs) this.turn(execCheckMs);
    return this.release();
  }

  /** The same, without waiting for anybody's end. */
  release(): Counts {
    for (const known of this.#execs) this.#settle(known, states.unknown);
    for (const known of [...this.#processes.all]) this.#processes.forget(known);
    for (const listener of this.#listeners) closeSync(listener);
    return { lost: this.#lost, outlived: this.#listeners.size };
  }

  #patience(): number {
    return this.#execs.size > 0 ? execCheckMs : longestWaitMs;
  }

  #idle(): void {
    for (const known of this.#execs) this.#settleUnseen(known);
  }

  #settleUnseen(known: Known): void {
    const isExec = (call: number): boolean => this.#calls.get(call)?.kind === 'exec';
    const outcome = known.exec === null ? null : outcomeWhenIdle(known.exec, known.pid, isExec);
    if (outcome !== null) this.#settle(known, outcome);
  }

  /** It has no more than milliseconds, so small differences are no news: followed, they would turn time back. */
  #followWallClock(): void {
    const originMs = Date.now() - performance.now();
    if (Math.abs(originMs - this.#wallOriginMs) > mostDriftMs) this.#wallOriginMs = originMs;
  }

  #readWaker(): boolean {
    readSync(this.waker, this.#wakeCount);
    return true;
  }

  #begin(type: number, pid: number, third: number): void {
    this.#nowMs = performance.now();
    this.#writer.begin(
      type,
      pid,
      third,
      this.#originNs + this.#nowMs * 1e6,
      Math.floor(this.#wallOriginMs + this.#nowMs),
    );
  }

  /** A child is what its parent is, and that has been told; of others the kernel is asked. */
  #meet(known: Known): void {
    const { pid, pidfd } = known;
    const parent = this.#processes.get(known.parent);
    if (parent !== undefined) this.#settleUnseen(parent);
    this.#begin(recordTypes.met, pid, known.parent);
    if (parent === undefined) {
      this.#writer.add(readName(pid));
      this.#writer.add(readArguments(pid, labelBytes + 1));
    }
    this.#writer.commit(states.plain);
    if (pidfd < 0) return;
    this.#ends.set(pidfd, known);
    this.#poll.add(pidfd);
  }

  #end(known: Known): void {
    const { pid, pidfd, exitCode } = known;
    if (known.exec !== null) this.#settle(known, states.unknown);
    if (exitCode !== null) this.#leaving -= 1;
    // Before the parent has waited for it, or after; it may happen in between.
    const status =
      exitCode === null ? (this.#info.end(pidfd) ?? readEndedStat(pid) ?? this.#info.end(pidfd)) : exitCode << 8;
    this.#begin(recordTypes.ended, pid, status ?? 0);
    this.#writer.commit(status === null ? states.unknown : states.plain);
    this.#ends.delete(pidfd);
    this.#poll.remove(pidfd);
    this.#processes.forget(known);
  }

  /** False when there was nobody to serve. */
  #serve(listener: number): boolean {
    this.caller.clear();
    if (control(listener, this.#receive, this.caller.notification) !== 0) {
      const error = lastError();
      // The caller was interrupted before we came, and its call has not happened; or we were.
      if (error === errors.noEntry || error === errors.interrupted) return false;
      // What cannot be served is given up: closed, it lets its callers go.
      this.#lost += 1;
      this.gone.push(listener);
      return false;
    }
    let written: Written | null = null;
    try {
      written = this.#write(this.#processes.of(this.caller.thread));
    } catch (error) {
      this.#lost += 1;
      if (this.#writer.isStuck) throw error;
    }
    const isValid = this.#letGo(listener);
    if (written !== null) this.#finish(written, isValid);
    return true;
  }

  /** False when the caller was not waiting any more: then what was read may be anybody's. */
  #letGo(listener: number): boolean {
    this.caller.copyId(this.#responseWords);
    for (;;) {
      if (control(listener, this.#send, this.#response) === 0) return true;
      if (lastError() !== errors.interrupted) return false;
    }
  }

  #write(known: Known): Written {
    const { number, thread } = this.caller;
    const call = this.#calls.get(number);
    if (call === undefined) throw new Error(`call ${number} was not asked for`);
    if (known.exec !== null) {
      const outcome = outcomeSeenFrom(known.exec, thread);
      if (outcome !== null) this.#settle(known, outcome);
    }
    if (call.kind === 'exit') this.#processes.meetChildren(known);
    this.#begin(recordTypes.call, known.pid, number);
    this.caller.putArguments();
    let hasNews = true;
    for (const reading of call.readings) hasNews = this.caller.put(reading);
    return { known, kind: call.kind, hasNews, mark: call.kind === 'exec' ? readProgramMark(thread) : null };
  }

  #finish({ known, kind, hasNews, mark }: Written, isValid: boolean): void {
    if (kind === 'exit') {
      if (isValid) this.#leave(known);
      return;
    }
    if (!hasNews) return;
    if (kind !== 'exec' || !isValid) {
      this.#writer.commit(isValid ? states.plain : states.invalid);
      return;
    }
    // Whether it succeeds shows later; until then it is kept back, so that it is in its place.
    const record = this.#writer.withdraw();
    // A second one before the first is settled: another thread tries as well.
    if (known.exec !== null) this.#settle(known, states.unknown);
    known.exec = { thread: this.caller.thread, record, mark };
    this.#execs.add(known);
  }

  #leave(known: Known): void {
    if (known.exitCode === null && known.pidfd >= 0) this.#leaving += 1;
    known.exitCode = this.caller.int(0) & 0xff;
  }

  #settle(known: Known, state: number): void {
    const { exec } = known;
    known.exec = null;
    this.#execs.delete(known);
    if (exec === null) return;
    this.#writer.putBack(exec.record, state);
  }
}
