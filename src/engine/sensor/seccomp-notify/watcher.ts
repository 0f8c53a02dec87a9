import { closeSync, readSync, writeSync } from 'node:fs';
import { Caller } from './caller.ts';
import { endCall, type WatchedCall, watchedCalls } from './calls.ts';
import { outcomeSeenFrom, outcomeWhenIdle } from './exec.ts';
import {
  addressOf,
  askHowEnded,
  control,
  createWaker,
  errors,
  lastError,
  Poll,
  requests,
  wakeTogether,
} from './kernel.ts';
import { labelBytes } from './label.ts';
import type { Counts } from './messages.ts';
import { byNumber, numberOf } from './numbers.ts';
import { readArguments, readChildren, readEndedStat, readName, readProgramMark } from './proc.ts';
import { type Known, Processes } from './processes.ts';
import { RecordWriter, recordTypes, states } from './record.ts';

/**
 * Serves the notifications of a box: takes one, writes down what its arguments point to while the caller waits, and lets
 * the caller go on. The answer is always the same: go on. Callers wait for this, so nothing else is done here.
 */

const batchRecords = 512;
/** How long a record waits for others to travel with: when nothing comes, and when there is always one more. */
const gatherMs = 10;
const longestGatherMs = 100;
const execCheckMs = 50;
const longestWaitMs = 1000;
const endLimitMs = 1000;
const warmRounds = 150;
const warmOpens = 20;
const warmLimitMs = 100;

/** `struct seccomp_notif_resp`: id u64, value i64, error i32, flags u32. */
const responseWords = 6;
const responseFlagsAt = 5;
const continueFlag = 1;

const wakeBytes = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
const ending: WatchedCall = { kind: 'exit', readings: [], events: () => [] };

/** A call that was written down and whose caller still waits. */
interface Written {
  readonly known: Known;
  readonly kind: WatchedCall['kind'];
  /** False when there is nothing to tell after all. */
  readonly hasNews: boolean;
  readonly mark: Buffer | null;
}

export class Watcher {
  /** Written to, it wakes the loop. */
  readonly waker = createWaker();
  /** There is a message to be read. */
  isWoken = false;
  /** Listeners that have nobody left. */
  readonly gone: number[] = [];
  readonly #enders: Known[] = [];
  readonly #callers: number[] = [];
  readonly #hand: (chunk: Uint8Array) => void;
  readonly #poll = new Poll();
  readonly #writer = new RecordWriter();
  readonly #caller = new Caller(this.#writer);
  readonly #responseWords = new Uint32Array(responseWords);
  readonly #response = Buffer.from(this.#responseWords.buffer);
  readonly #wakeCount = Buffer.alloc(8);
  readonly #listeners = new Set<number>();
  readonly #ends = new Map<number, Known>();
  readonly #processes = new Processes((known) => this.#meet(known));
  readonly #execs = new Set<Known>();
  readonly #calls = byNumber<WatchedCall>([...watchedCalls, [endCall, ending]]);
  #oldestMs = 0;
  #lost = 0;

  /** `hand` takes a batch of records, and blocks while the reader is behind. */
  constructor(hand: (chunk: Uint8Array) => void) {
    this.#hand = hand;
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
    const count = this.#poll.wait(Math.min(mostMs, this.#patience()));
    if (count === 0) this.#idle();
    const gone = this.gone;
    const enders = this.#enders;
    const callers = this.#callers;
    gone.length = 0;
    enders.length = 0;
    callers.length = 0;
    this.isWoken = false;
    for (let place = 0, left = count; left > 0 && place < this.#poll.count; place += 1) {
      if (!this.#poll.isReady(place)) continue;
      left -= 1;
      const fd = this.#poll.fd(place);
      const ended = this.#ends.get(fd);
      if (ended !== undefined) enders.push(ended);
      else if (fd === this.waker) this.isWoken = this.#readWaker();
      else if (this.#poll.isReadable(place)) callers.push(fd);
      else gone.push(fd);
    }
    // Before any notification: a number may be in use again.
    for (const ended of enders) this.#end(ended);
    for (const listener of callers) this.#serve(listener);
    if (this.#isBatchDue()) this.flush();
  }

  /** Takes in what has ended, hands everything over and lets go of all descriptors but the waker. */
  close(): Counts {
    const outlived = this.#listeners.size;
    // A listener is told that its last caller is gone slightly before that process has ended.
    const lastMs = Date.now() + endLimitMs;
    while (this.#ends.size > 0 && Date.now() < lastMs) this.turn(execCheckMs);
    for (const known of this.#execs) this.#settle(known, states.unknown);
    for (const known of [...this.#processes.all]) this.#processes.forget(known);
    for (const listener of this.#listeners) closeSync(listener);
    this.flush();
    return { lost: this.#lost, outlived };
  }

  flush(): void {
    if (this.#writer.count > 0) this.#hand(this.#writer.take());
  }

  #isBatchDue(): boolean {
    const { count, isFull } = this.#writer;
    return count > 0 && (isFull || count >= batchRecords || Date.now() - this.#oldestMs > longestGatherMs);
  }

  #patience(): number {
    if (this.#writer.count > 0) return gatherMs;
    return this.#execs.size > 0 ? execCheckMs : longestWaitMs;
  }

  #idle(): void {
    for (const known of this.#execs) {
      const isExec = (call: number): boolean => this.#calls.get(call)?.kind === 'exec';
      const outcome = known.exec === null ? null : outcomeWhenIdle(known.exec, known.pid, isExec);
      if (outcome !== null) this.#settle(known, outcome);
    }
    this.flush();
  }

  #readWaker(): boolean {
    readSync(this.waker, this.#wakeCount);
    return true;
  }

  #begin(type: number, pid: number, third: number): void {
    if (this.#writer.isFull) this.flush();
    const nowMs = Date.now();
    if (this.#writer.count === 0) this.#oldestMs = nowMs;
    this.#writer.begin(type, pid, third, process.hrtime.bigint(), nowMs);
  }

  #meet(known: Known): void {
    const { pid, parent, pidfd } = known;
    this.#begin(recordTypes.met, pid, parent);
    this.#writer.add(readName(pid));
    this.#writer.add(readArguments(pid, labelBytes + 1));
    this.#writer.commit(states.plain);
    if (pidfd < 0) return;
    this.#ends.set(pidfd, known);
    this.#poll.add(pidfd);
  }

  #end(known: Known): void {
    const { pid, pidfd, exitCode } = known;
    if (known.exec !== null) this.#settle(known, states.unknown);
    // Before the parent has waited for it, or after; it may happen in between.
    const status = exitCode === null ? (askHowEnded(pidfd) ?? readEndedStat(pid) ?? askHowEnded(pidfd)) : exitCode << 8;
    this.#begin(recordTypes.ended, pid, status ?? 0);
    this.#writer.commit(status === null ? states.unknown : states.plain);
    this.#ends.delete(pidfd);
    this.#poll.remove(pidfd);
    this.#processes.forget(known);
  }

  #serve(listener: number): void {
    this.#caller.clear();
    if (control(listener, requests.receive, this.#caller.notification) !== 0) {
      const error = lastError();
      // The caller was interrupted before we came: its call has not happened.
      if (error === errors.noEntry || error === errors.interrupted) return;
      // What cannot be served is given up: closed, it lets its callers go.
      this.#lost += 1;
      this.gone.push(listener);
      return;
    }
    let written: Written | null = null;
    try {
      written = this.#write(this.#processes.of(this.#caller.thread));
    } catch {
      this.#lost += 1;
    }
    const isValid = this.#letGo(listener);
    if (written !== null) this.#finish(written, isValid);
  }

  /** False when the caller was not waiting any more: then what was read may be anybody's. */
  #letGo(listener: number): boolean {
    this.#caller.copyId(this.#responseWords);
    return control(listener, requests.send, this.#response) === 0;
  }

  #write(known: Known): Written {
    const { number, thread } = this.#caller;
    const call = this.#calls.get(number);
    if (call === undefined) throw new Error(`call ${number} was not asked for`);
    if (known.exec !== null) {
      const outcome = outcomeSeenFrom(known.exec, thread);
      if (outcome !== null) this.#settle(known, outcome);
    }
    if (call.kind === 'exit') this.#processes.meetChildren(known);
    this.#begin(recordTypes.call, known.pid, number);
    this.#caller.putArguments();
    let hasNews = true;
    for (const reading of call.readings) hasNews = this.#caller.put(reading);
    return { known, kind: call.kind, hasNews, mark: call.kind === 'exec' ? readProgramMark(thread) : null };
  }

  #finish({ known, kind, hasNews, mark }: Written, isValid: boolean): void {
    if (kind === 'exit') {
      if (isValid) known.exitCode = this.#caller.int(0) & 0xff;
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
    known.exec = { thread: this.#caller.thread, record, mark };
    this.#execs.add(known);
  }

  #settle(known: Known, state: number): void {
    const { exec } = known;
    known.exec = null;
    this.#execs.delete(known);
    if (exec === null) return;
    if (this.#writer.isFull) this.flush();
    this.#writer.putBack(exec.record, state);
  }

  /**
   * Goes through the motions with calls of our own, so that the first ones of the target do not meet code that has not
   * been compiled yet. Nothing of it is kept.
   */
  warm(): void {
    const path = Buffer.from('/warm-up\0');
    const argv = Buffer.alloc(16);
    argv.writeBigUInt64LE(addressOf(path));
    const [pathAddress, argvAddress] = [Number(addressOf(path)), Number(addressOf(argv))];
    const lastMs = Date.now() + warmLimitMs;
    for (let round = 0; round < warmRounds && Date.now() < lastMs; round += 1) {
      const known = this.#processes.of(process.pid);
      for (let open = 0; open < warmOpens; open += 1) {
        this.#serve(-1);
        this.#caller.pretend(process.pid, numberOf('openat'), 0, pathAddress);
        this.#pretendToServe(known);
      }
      this.#caller.pretend(process.pid, numberOf('execve'), pathAddress, argvAddress);
      this.#pretendToServe(known);
      readChildren(process.pid);
      writeSync(this.waker, wakeBytes);
      this.turn(0);
      this.#end(known);
      this.#writer.take();
    }
    this.#lost = 0;
  }

  #pretendToServe(known: Known): void {
    const written = this.#write(known);
    this.#letGo(-1);
    this.#finish(written, true);
  }
}
