import { type Event, type EventProcess, momentNow, type UntrustedJson } from '../../base/event-schema.ts';
import type { Sighting } from '../sensor/contract.ts';
import type { EventSink } from '../sensor/event-log.ts';
import { Attribution } from './attribution.ts';
import { type Baits, baitFields } from './baits.ts';
import type { Leak, LeakSearch } from './leaks.ts';
import type { Timeline } from './timeline.ts';

/**
 * Where all sensors of a run come together: each sighting gets its phase, its call and its process, decoys that were read
 * and canaries that left are noticed, and everything goes into the one log in order.
 */

/** The wire is quicker than the sensors on system calls; its events wait to learn whose they are, but not for ever. */
const holdMs = 150;
const holdAgainMs = 50;
const longestHoldMs = 2000;
const mostHeld = 4096;
const mostReads = 16;
const mostCommands = 16_384;
/** Enough to know which program it is. */
const mostWords = 32;

export interface JournalOptions {
  readonly log: EventSink;
  readonly timeline: Timeline;
  readonly baits: Pick<Baits, 'touched'> | null;
  readonly leaks: LeakSearch | null;
  /** Gets every event after it was logged. The sensors wait for it. */
  readonly onEvents: (events: readonly Event[]) => void | Promise<void>;
}

interface Held {
  readonly sinceMs: number;
  readonly source: string;
  readonly sightings: readonly Sighting[];
  readonly done: () => void;
  readonly failed: (cause: unknown) => void;
}

interface Read {
  readonly seq: number;
  readonly pid: number | null;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #attribution = new Attribution();
  readonly #reads = new Map<string, Read[]>();
  readonly #told = new Set<string>();
  /** What each process runs, by its pid. */
  readonly #commands = new Map<number, NonNullable<EventProcess['argv']>>();
  #held: Held[] = [];
  #heldCount = 0;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Resolves when they are logged. */
  see(source: string, sightings: readonly Sighting[]): Promise<void> {
    const done = this.#work.then(() => this.#take(source, sightings));
    // Whoever handed them in gets the error; the next ones are still taken.
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** For a source whose events belong to processes that another source tells of. */
  async seeLater(source: string, sightings: readonly Sighting[]): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.#held.push({ sinceMs: performance.now(), source, sightings, done: resolve, failed: reject });
    });
    done.catch(() => undefined);
    this.#heldCount += sightings.length;
    this.#timer ??= setTimeout(() => this.#release(false), holdMs);
    if (this.#heldCount > mostHeld) await done;
  }

  /** In order, up to the first whose process is not known yet. */
  #release(isLast: boolean): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const isReady = ({ sinceMs, sightings }: Held): boolean =>
      isLast || performance.now() - sinceMs > longestHoldMs || sightings.every((each) => this.#isOwned(each));
    const firstWaiting = this.#held.findIndex((held) => !isReady(held));
    const ready = this.#held.splice(0, firstWaiting === -1 ? this.#held.length : firstWaiting);
    for (const { source, sightings, done, failed } of ready) {
      this.#heldCount -= sightings.length;
      this.see(source, sightings).then(done, failed);
    }
    if (this.#held.length > 0) this.#timer = setTimeout(() => this.#release(false), holdAgainMs);
  }

  #isOwned(sighting: Sighting): boolean {
    return typeof sighting.fields.connection !== 'number' || this.#withProcess(sighting).process !== undefined;
  }

  async #take(source: string, sightings: readonly Sighting[]): Promise<void> {
    const { onEvents } = this.#options;
    const events: Event[] = [];
    for (const sighting of sightings) await this.#takeOne(source, sighting, events);
    await onEvents(events);
  }

  async #takeOne(source: string, sighting: Sighting, events: Event[]): Promise<void> {
    const { baits, leaks } = this.#options;
    this.#attribution.learn(sighting);
    this.#learnCommand(sighting);
    const owned = this.#withProcess(sighting);
    events.push(await this.#log(source, owned));
    const bait = baits?.touched(owned) ?? null;
    if (bait !== null) {
      const fields = baitFields(bait, owned.fields.path as Parameters<typeof baitFields>[1]);
      const event = await this.#log(source, { ...owned, ...this.#inFull(owned.process), kind: 'bait-read', fields });
      events.push(event);
      for (const { id } of bait.canaries) this.#noteRead(id, event);
    }
    if (leaks !== null) events.push(...(await this.#tell(source, leaks.sighting(owned), owned)));
  }

  #learnCommand({ kind, fields, process, outcome }: Sighting): void {
    if (kind !== 'exec' || process === undefined || outcome === 'failed' || outcome === 'denied') return;
    if (!Array.isArray(fields.argv) || this.#commands.size >= mostCommands) return;
    this.#commands.set(process.pid, fields.argv.slice(0, mostWords) as NonNullable<EventProcess['argv']>);
  }

  /** What matters most says not only who, but what it was running. */
  #inFull(process: EventProcess | undefined): { readonly process?: EventProcess } {
    if (process === undefined) return {};
    const argv = process.argv ?? this.#commands.get(process.pid) ?? this.#commands.get(process.parent);
    return { process: argv === undefined ? process : { ...process, argv } };
  }

  #withProcess(sighting: Sighting): Sighting {
    const { connection, transport, asked, path } = sighting.fields;
    if (sighting.process !== undefined) return sighting;
    if (sighting.kind === 'disk-change') {
      const writer = this.#attribution.writerOf(path);
      return writer === undefined ? sighting : { ...sighting, process: writer };
    }
    if (typeof connection !== 'number') return sighting;
    const { address, port } = asked as { address: string; port: number };
    const process = this.#attribution.processOf({
      connection,
      transport: transport === 'udp' ? 'udp' : 'tcp',
      address,
      port,
    });
    return process === undefined ? sighting : { ...sighting, process };
  }

  #noteRead(canary: string, { seq, process }: Event): void {
    const reads = this.#reads.get(canary) ?? [];
    if (reads.length < mostReads) reads.push({ seq, pid: process?.pid ?? null });
    this.#reads.set(canary, reads);
  }

  /** Canaries that were found outside of any sighting, such as in the output of the target. */
  async found(source: string, leaks: readonly Leak[], path?: UntrustedJson): Promise<void> {
    if (leaks.length === 0) return;
    const writer = path === undefined ? undefined : this.#attribution.writerOf(path);
    const at = momentNow();
    const done = this.#work.then(async () => {
      await this.#options.onEvents(await this.#tell(source, leaks, { at, process: writer }));
    });
    this.#work = done.catch(() => undefined);
    await done;
  }

  async #tell(
    source: string,
    leaks: readonly Leak[],
    { at, process }: { readonly at: Sighting['at']; readonly process?: EventProcess | undefined },
  ): Promise<readonly Event[]> {
    const events: Event[] = [];
    for (const { fields, canary, way } of leaks) {
      const key = `${canary} ${way}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      const readBy = (this.#reads.get(canary) ?? []).map(({ seq, pid }) => (pid === null ? { seq } : { seq, pid }));
      events.push(
        await this.#log(source, {
          kind: 'leak',
          at,
          fields: { ...fields, readBy },
          ...this.#inFull(process),
        }),
      );
    }
    return events;
  }

  #log(source: string, sighting: Sighting): Promise<Event> {
    const { phase, call } = this.#options.timeline.at(BigInt(sighting.at.monotonicNs));
    return this.#options.log.add({ ...sighting, source, phase, ...(call === undefined ? {} : { call }) });
  }

  /** Hands on what is held and what the search for canaries still had. */
  async close(): Promise<void> {
    this.#release(true);
    await this.#work;
    const { leaks } = this.#options;
    if (leaks !== null) await this.found('journal', leaks.close());
    await this.#work;
  }
}
