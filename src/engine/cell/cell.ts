import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { type Completeness, type Event, momentNow, type Phase, type UntrustedJson } from '../../base/event-schema.ts';
import type { Policy } from '../../base/policy-schema.ts';
import type { Box, BoxHooks, BoxProcess, ExitStatus, SpawnOptions } from '../box/contract.ts';
import { type CreateBoxOptions, createBox } from '../box/index.ts';
import { type DecoyHome, makeHome, plantDecoys } from '../decoy/index.ts';
import type { OpenSensor, Sighting } from '../sensor/contract.ts';
import { type DiskRecord, recordDisk } from '../sensor/disk-diff.ts';
import { EventLog } from '../sensor/event-log.ts';
import { bytesField } from '../sensor/fields.ts';
import { systemCallSensors } from '../sensor/index.ts';
import { Tap } from '../sensor/tap.ts';
import { wireCompleteness, wireSighting, wireSource } from '../sensor/wire.ts';
import { Baits } from './baits.ts';
import { givable, letVariablesIn } from './cell-policy.ts';
import { HeartCount } from './heart-count.ts';
import { Journal } from './journal.ts';
import { type Leak, LeakSearch } from './leaks.ts';
import {
  type CellNetwork,
  type CellNetworkOptions,
  type FakeOptions,
  type NetworkEnd,
  openNetwork,
} from './network.ts';
import { type CompletenessReport, reportOf, unwatched } from './report.ts';
import { SecondWitness } from './second-witness.ts';
import { Timeline } from './timeline.ts';

/** A cell is a box with eyes: decoys in it, an internet around it, sensors on it, and one log of everything they see. */

export interface CellOptions extends Omit<CreateBoxOptions, 'hooks' | 'network' | 'systemFiles'> {
  /** Folder of the run; made when it is not there. */
  readonly folder: string;
  readonly runId?: string;
  /** Default: a fresh home full of bait. */
  readonly decoys?: DecoyHome | null;
  readonly fake?: FakeOptions;
  /** Looks at what leaves through the gate of an `allowlist` network. */
  readonly inspect?: CellNetworkOptions['inspect'];
  /** Phase that the run begins in. */
  readonly phase?: Phase;
  /** Default: false. Needs root and bpftrace, and a box on the host's kernel; what it is for, `SecondWitness` says. */
  readonly witness?: boolean;
  readonly onEvents?: (events: readonly Event[]) => void | Promise<void>;
}

const beatTimeoutMs = 5000;

interface Parts {
  readonly runId: string;
  readonly folder: string;
  readonly policy: Policy;
  readonly timeline: Timeline;
  readonly journal: Journal;
  readonly log: EventLog;
  readonly leaks: LeakSearch | null;
  readonly heart: HeartCount;
  readonly home: DecoyHome | null;
  readonly box: Box;
  readonly sensors: readonly CellSensor[];
  readonly witness: SecondWitness | null;
  readonly network: CellNetwork | null;
}

interface CellSensor {
  readonly id: string;
  readonly open: OpenSensor;
}

export class Cell implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #running = new Set<BoxProcess>();
  readonly #taps: Tap[] = [];
  #end: Promise<CompletenessReport> | null = null;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async open(policy: Policy, options: CellOptions): Promise<Cell> {
    return new Cell(await assemble(policy, options));
  }

  get box(): Box {
    return this.#parts.box;
  }

  get runId(): string {
    return this.#parts.runId;
  }

  get folder(): string {
    return this.#parts.folder;
  }

  /** The file that stands for the network of the box; null where it has none that can be entered. */
  get network(): string | null {
    return this.#parts.network?.network.path ?? null;
  }

  /** The way out, where the policy lists hosts and there is one. */
  get gate(): CellNetwork['gate'] {
    return this.#parts.network?.gate ?? null;
  }

  /** Null where none were planted. */
  get home(): DecoyHome | null {
    return this.#parts.home;
  }

  /** Every phase begins with a beat of the airlock's heart, so that silence in it means something. */
  async enter(phase: Phase): Promise<void> {
    const { timeline, heart, box } = this.#parts;
    timeline.enter(phase);
    heart.expected += await box.beat();
    await heart.settle(beatTimeoutMs, () => this.#running.size > 0);
    // A target that ended before its airlock could beat leaves nothing to be seen.
    if (this.#running.size === 0) heart.expected = Math.min(heart.expected, Math.max(heart.seen, 1));
  }

  async spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<BoxProcess> {
    const { policy, home, network, box, heart } = this.#parts;
    const bait = Object.fromEntries((home?.variables ?? []).map(({ name, value }) => [name, value]));
    const own = givable(policy, { ...bait, ...network?.environment });
    const child = await box.spawn(argv, { ...options, environment: { ...own, ...options.environment } });
    this.#running.add(child);
    void child.exited
      .then((status) => this.#noteLimits(status))
      .finally(() => this.#running.delete(child))
      .catch(() => undefined);
    if (box.record.watchedBy !== null) {
      heart.expected += 1;
      await heart.settle(beatTimeoutMs, () => true);
    }
    return {
      stdin: child.stdin,
      stdout: this.#searched('stdout', child.stdout),
      stderr: this.#searched('stderr', child.stderr),
      exited: child.exited,
      kill: (signal) => child.kill(signal),
    };
  }

  async #noteLimits({ limitsHit }: ExitStatus): Promise<void> {
    const at = momentNow();
    const sightings = limitsHit.map((hit): Sighting => ({ kind: 'limit-hit', at, fields: { ...hit } }));
    if (sightings.length > 0) await this.#parts.journal.see('box', sightings);
  }

  /** The same bytes, with a look at each for canaries. */
  #searched(name: 'stdout' | 'stderr', from: Readable): Readable {
    const { leaks, journal } = this.#parts;
    if (leaks === null) return from;
    const through = new PassThrough();
    from.on('data', (chunk: Buffer) => {
      void journal.found(name, leaks.stream(name, chunk)).catch(() => undefined);
    });
    return from.pipe(through);
  }

  /** A tap on the messages of a target; whoever moves the messages feeds it. */
  tap(prefix = ''): Tap {
    const { journal, timeline } = this.#parts;
    const see = (sighting: Sighting): void => void journal.see('tap', [sighting]).catch(() => undefined);
    const started = (call: string): void => timeline.callStarted(call);
    const ended = (call: string): void => timeline.callEnded(call);
    const tap = new Tap(see, { started, ended }, prefix);
    this.#taps.push(tap);
    return tap;
  }

  /** Ends what still runs, looks at the disk, waits for all sensors, and writes completeness.json. */
  close(): Promise<CompletenessReport> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async #finish(): Promise<CompletenessReport> {
    const { box, sensors, witness, network, journal, leaks, log, timeline, folder, runId, heart } = this.#parts;
    timeline.enter('stop');
    const ends: Completeness[] = [];
    const staged: { readonly path: UntrustedJson; readonly found: readonly Leak[] }[] = [];
    let disk: DiskRecord | null = null;
    let wire: NetworkEnd | null = null;
    try {
      for (const child of this.#running) child.kill('SIGKILL');
      await Promise.all([...this.#running].map((child) => child.exited.catch(() => undefined)));
      disk = await recordDisk(box, join(folder, 'disk'), ({ path, content }) => {
        const name = `file ${path.toString('latin1')}`;
        staged.push({ path: bytesField(path), found: leaks?.file(name, content) ?? [] });
      });
    } finally {
      await box.close();
      for (const sensor of sensors) ends.push(await this.#endSensor(sensor));
      if (witness !== null) ends.push(await witness.close(heart.expected, box.record.watchedBy));
      wire = (await network?.close()) ?? null;
    }
    // After the sensors, which know who wrote what.
    await journal.see('disk-diff', disk.sightings);
    for (const { path, found } of staged) await journal.found('disk-diff', found, path);
    ends.push(disk.completeness);
    if (sensors.length === 0) ends.push(unwatched(box.record.backend));
    if (wire !== null) ends.push(wireCompleteness(wire.wire));
    for (const tap of this.#taps) ends.push(tap.close());
    await journal.close();
    await log.close();
    const report = reportOf(runId, ends, {
      capture: wire?.capture ?? null,
      ...(leaks === null ? {} : { search: { ...leaks.cuts }, unsearchedFiles: leaks.unsearchedFiles }),
    });
    await writeFile(join(folder, 'completeness.json'), `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
    return report;
  }

  async #endSensor({ open }: CellSensor): Promise<Completeness> {
    const end = await open.close();
    const { expected, seen } = this.#parts.heart;
    return { ...end, heartbeats: { expected, seen } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Puts the parts together; when one fails, those before it are taken down again. */
async function assemble(asked: Policy, options: CellOptions): Promise<Parts> {
  const { folder, runId = randomBytes(6).toString('hex'), backend = 'auto', onEvents = () => undefined } = options;
  await using undo = new AsyncDisposableStack();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = await EventLog.create(join(folder, 'events.ndjson'), runId);
  undo.defer(() => log.close());
  const home = options.decoys === undefined ? makeHome() : options.decoys;
  const leaks = home === null ? null : new LeakSearch(home.canaries);
  const timeline = new Timeline(options.phase ?? 'start');
  const heart = new HeartCount();
  // The journal knows the decoys once the box says where its home is.
  let baits: Baits | null = null;
  const journal = new Journal({
    log,
    timeline,
    leaks,
    onEvents,
    baits: { touched: (sighting) => baits?.touched(sighting) ?? null },
  });
  undo.defer(() => journal.close());
  const network = await openNetwork(asked, {
    runId,
    folder,
    backend,
    ...(options.fake === undefined ? {} : { fake: options.fake }),
    ...(options.inspect === undefined ? {} : { inspect: options.inspect }),
    onEvents: (events) => journal.seeLater(wireSource, events.map(wireSighting)),
  });
  if (network !== null) undo.defer(async () => void (await network.close()));
  const witness =
    options.witness === true ? await SecondWitness.open((sightings) => journal.see('ebpf', sightings)) : null;
  if (witness !== null) undo.defer(async () => void (await witness.close(0, null)));
  const candidates = systemCallSensors.filter(({ backends }) => backend === 'auto' || backends.includes(backend));
  const opened = await Promise.all(
    candidates.map(async ({ id, open }): Promise<CellSensor> => {
      const onSightings = (sightings: readonly Sighting[]): Promise<void> => {
        for (const sighting of sightings) heart.note(sighting);
        witness?.compare(sightings);
        return journal.see(id, sightings);
      };
      return { id, open: await open({ folder, onSightings }) };
    }),
  );
  for (const sensor of opened) undo.defer(async () => void (await sensor.open.close()));
  const variables = [...(home?.variables.map(({ name }) => name) ?? []), ...Object.keys(network?.environment ?? {})];
  const policy = letVariablesIn(asked, variables, 'bait, and certificates of the fake internet');
  const hooks: BoxHooks = Object.assign({}, ...opened.map((sensor) => sensor.open.hooks));
  const box = await createBox(policy, {
    ...options,
    ...(network === null ? {} : { network: network.network, systemFiles: network.systemFiles }),
    hooks: witness === null ? hooks : witness.attach(hooks),
  });
  undo.defer(() => box.close());
  if (home !== null) {
    await plantDecoys(box, home);
    baits = new Baits(
      box.folders.home,
      home.files,
      home.variables.flatMap(({ canaries }) => canaries),
    );
  }
  const sensors = opened.filter(({ open }) => hookOf(open) === box.record.watchedBy);
  for (const sensor of opened) if (!sensors.includes(sensor)) await sensor.open.close();
  undo.move();
  return { runId, folder, policy, timeline, journal, log, leaks, heart, home, box, sensors, witness, network };
}

/** By which of a box's hooks a sensor gets in. */
function hookOf({ hooks }: OpenSensor): Box['record']['watchedBy'] {
  return hooks.traceSession === undefined ? 'notify' : 'trace';
}
