import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, HostError } from '../../../base/errors.ts';
import type { Completeness } from '../../../base/event-schema.ts';
import type { Sighting, SightingSink } from '../contract.ts';
import { eventTimes } from '../gvisor-trace/clock.ts';
import { hostClock, stampOffset } from './clock.ts';
import { Complaints } from './complaints.ts';
import { OrderWindow } from './order.ts';
import { Pairs, type WholeRecord } from './pairs.ts';
import { probeEbpf } from './probe.ts';
import { type Program, startProgram } from './program.ts';
import { marksOf, RecordReader, type WitnessRecord } from './records.ts';
import { witnessScript } from './script.ts';
import { Translator } from './translator.ts';

/**
 * The second witness: a program in the kernel that sees the calls of a box on their way out, and nothing of the sensor
 * that sees them on their way in. It cannot hold anybody up, so it may lose events, and counts them then.
 */

export const witnessSource = 'ebpf';

const longestStartMs = 20_000;
const longestAdoptionMs = 5000;
const longestEndMs = 10_000;
const pollMs = 20;
/** No process ever has such a number, and the kernel takes it for one. */
const lowestKey = 0x0100_0000;
const highestKey = 0x7fff_ffff;
const beatMs = 100;
/** Sightings that nobody has taken; whatever comes on top of them is lost. */
const mostWaiting = 400_000;

export interface WitnessOptions {
  readonly onSightings: SightingSink;
  /** Most of what a program does is opening files. Whoever only asks what was refused need not pay for it. */
  readonly skipsOpened?: boolean;
}

interface Waiting {
  readonly resolve: () => void;
  readonly before: bigint;
}

export class EbpfWitness implements AsyncDisposable {
  readonly #program: Program;
  readonly #key = randomInt(lowestKey, highestKey);
  readonly #reader: RecordReader;
  readonly #onSightings: SightingSink;
  readonly #complaints = new Complaints();
  readonly #pairs = new Pairs();
  readonly #window = new OrderWindow<WholeRecord>();
  readonly #translator: Translator;
  readonly #waiting = new Map<number, Waiting>();
  readonly #marksSeen = new Set<WitnessRecord['type']>();
  readonly #ended: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #offset = 0n;
  #handing: Promise<void> = Promise.resolve();
  #waitingCount = 0;
  #counts = { adopted: 0, received: 0, truncated: 0, dropped: 0, heartbeats: 0 };
  readonly #missing: string[] = [];
  #diedAt: Date | null = null;
  #hasEnded = false;
  #isClosing = false;
  #end: Promise<Completeness> | null = null;

  private constructor(tool: string, { onSightings, skipsOpened = false }: WitnessOptions) {
    const marks = marksOf(randomBytes(12).toString('hex'));
    this.#onSightings = onSightings;
    this.#reader = new RecordReader(marks);
    const timeOf = eventTimes(hostClock());
    this.#translator = new Translator((at) => timeOf(at + this.#offset));
    this.#program = startProgram(tool, witnessScript({ watcher: process.pid, key: this.#key, marks, skipsOpened }));
    this.#program.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#program.stderr.on('data', (chunk: Buffer) => this.#complaints.take(chunk));
    // A program that cannot be started has no other end than this.
    this.#ended = once(this.#program, 'close').then(
      () => this.#noteEnd(),
      () => this.#noteEnd(),
    );
    this.#timer = setInterval(() => this.#handOn(this.#window.beat()), beatMs);
    this.#timer.unref();
  }

  /** Resolves when it sees everything that it is ever going to see. */
  static async start(options: WitnessOptions): Promise<EbpfWitness> {
    const probed = await probeEbpf();
    if (probed.is !== 'yes') {
      const { because, mend } = probed.is === 'not-available' ? probed : { because: 'it is not known why' };
      throw new HostError(`no second witness: ${because}`, mend === undefined ? {} : { hint: mend });
    }
    const witness = new EbpfWitness(probed.value, options);
    try {
      await witness.#becomeReady();
      return witness;
    } catch (cause) {
      await witness.close();
      throw cause;
    }
  }

  /** The first and the last part of the script have seen an act of ours: so have all in between. */
  async #becomeReady(): Promise<void> {
    const deadline = performance.now() + longestStartMs;
    while (this.#marksSeen.size < 2) {
      if (this.#hasEnded) throw new HostError(`no second witness: bpftrace ended: ${this.#complaints.text}`);
      if (performance.now() > deadline) throw new HostError('no second witness: bpftrace sees nothing');
      this.#show(process.pid);
      await delay(pollMs);
    }
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** Resolves when the process, which must not have forked yet, is seen, and so will be all that come from it. */
  async adopt(pid: number): Promise<void> {
    if (this.#hasEnded) throw new HostError('the second witness has ended');
    const seen = await this.#isSeen(pid, longestAdoptionMs);
    if (!seen) throw new HostError(`the second witness did not see process ${pid}`);
    this.#counts.adopted += 1;
  }

  async #isSeen(pid: number, longestMs: number): Promise<boolean> {
    const giveUp = new AbortController();
    const seen = new Promise<true>((resolve) => {
      this.#waiting.set(pid, { resolve: () => resolve(true), before: process.hrtime.bigint() });
    });
    try {
      this.#show(pid);
      const late = delay(longestMs, false, { signal: giveUp.signal });
      return await Promise.race([seen, this.#ended.then(() => false), late]);
    } finally {
      giveUp.abort();
      this.#waiting.delete(pid);
    }
  }

  /** Nothing of ours runs between the two. */
  #show(pid: number): void {
    try {
      getPriority(this.#key);
    } catch {
      // There is none, of course.
    }
    try {
      getPriority(pid);
    } catch (cause) {
      throw new HostError(`process ${pid} cannot be shown to the second witness: ${describeError(cause)}`, { cause });
    }
  }

  #take(chunk: Buffer): void {
    for (const record of this.#reader.take(chunk)) {
      if (record.type === 'adopted') this.#confirm(record.pid, record.at);
      if (record.type === 'adopted' || record.type === 'lastReady') this.#marksSeen.add(record.type);
      const whole = this.#pairs.take(record);
      if (whole === null) continue;
      if (this.#window.size + this.#waitingCount >= mostWaiting) this.#counts.dropped += 1;
      else this.#window.add(whole);
    }
  }

  #confirm(pid: number, stamp: bigint): void {
    const waiting = this.#waiting.get(pid);
    if (waiting === undefined) return;
    this.#offset = stampOffset({ stamp, before: waiting.before, after: process.hrtime.bigint() });
    waiting.resolve();
  }

  /** Not awaited where it is read: the kernel's program waits for nobody. */
  #handOn(records: readonly WholeRecord[]): void {
    if (records.length === 0) return;
    const sightings = records.flatMap((record): readonly Sighting[] => {
      const sighting = this.#translator.translate(record);
      return sighting === null ? [] : [sighting];
    });
    this.#counts.received += sightings.length;
    for (const { kind, truncated } of sightings) {
      if (truncated !== undefined) this.#counts.truncated += 1;
      if (kind === 'heartbeat') this.#counts.heartbeats += 1;
    }
    this.#waitingCount += sightings.length;
    this.#handing = this.#handing
      .then(() => this.#onSightings(sightings))
      .catch(() => {
        this.#counts.dropped += sightings.length;
      })
      .then(() => {
        this.#waitingCount -= sightings.length;
      });
  }

  #noteEnd(): void {
    this.#hasEnded = true;
    if (!this.#isClosing) this.#diedAt = new Date();
  }

  /** Hands over what is left. */
  close(): Promise<Completeness> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async #finish(): Promise<Completeness> {
    await this.#emptyBuffers();
    this.#isClosing = true;
    if (!this.#hasEnded) await this.#endProgram();
    clearInterval(this.#timer);
    this.#handOn(this.#window.drain());
    await this.#handing;
    return this.#completeness();
  }

  /**
   * An act of ours that is seen may have overtaken what happened on another processor, but not by a whole round of the
   * buffers: when a second one is seen, everything before the first has been.
   */
  async #emptyBuffers(): Promise<void> {
    for (let round = 0; round < 2 && !this.#hasEnded && this.#marksSeen.size === 2; round += 1) {
      if (await this.#isSeen(process.pid, longestEndMs)) continue;
      if (!this.#hasEnded) this.#missing.push('what the kernel still held when the witness was ended');
      return;
    }
  }

  async #endProgram(): Promise<void> {
    this.#program.kill('SIGINT');
    const giveUp = new AbortController();
    const late = delay(longestEndMs, undefined, { signal: giveUp.signal }).then(
      () => this.#program.kill('SIGKILL'),
      () => undefined,
    );
    await Promise.race([this.#ended, late]);
    await this.#ended;
    giveUp.abort();
  }

  #completeness(): Completeness {
    const { adopted, received, truncated, dropped, heartbeats } = this.#counts;
    return {
      source: witnessSource,
      attachedBeforeExec: adopted > 0,
      received,
      dropped: dropped + this.#complaints.lost + this.#reader.malformed,
      merged: 0,
      truncated,
      missingPoints: [...this.#missing],
      heartbeats: { expected: 0, seen: heartbeats },
      ...(this.#diedAt === null ? {} : { diedAt: this.#diedAt.toISOString() }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
