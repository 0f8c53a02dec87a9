import { randomBytes } from 'node:crypto';
import { describeError, HostError, isKnownError, UsageError } from '../../base/errors.ts';
import { forModel, forTerminal, untrusted } from '../../base/untrusted.ts';
import { hostResolver, type ResolveHost } from '../../engine/net/index.ts';
import { againOf } from './again.ts';
import { aimMeans } from './arguments/index.ts';
import type { Aim, CommandMeans, Credential, ScannerDefinition, ScanOutput, ScanResult } from './contract.ts';
import { type Availability, findAvailable, findObstacle } from './obstacle.ts';
import type { ProbeOptions } from './options.ts';
import { Pacer, shareOfPace } from './pacer.ts';
import { ScanQueue } from './queue.ts';
import { dropEmptyFolder, type KeptScan, keepScan, makeScanFolder } from './results/keep.ts';
import type { OpenRoom, RoomEnd, RunEnd } from './room/contract.ts';
import { scanners } from './scanners/index.ts';
import { credentialOf, endsAt, type LoadedScope, loadScope, objectToTime } from './scope/index.ts';
import { leastScope } from './scope/problem.ts';

/** Probe with its scope: loaded once, and the same for everybody whom it serves. */

export interface ScanCall {
  readonly signal: AbortSignal;
  readonly progress: (phase: string, share?: number) => void;
}

const mostWaiting = 64;
const rawCharacters = 20_000;
const mostFindings = 5000;
const mostNotes = 100;

function noScope(): UsageError {
  return new UsageError('there is no scope, so nothing is scanned', {
    hint: `write who may be scanned into a file and name it with --scope FILE or HOTCELL_PROBE_SCOPE; the least is ${leastScope}`,
    code: 'NO_SCOPE',
  });
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

export class Probe {
  readonly options: ProbeOptions;
  readonly #scope: LoadedScope | null;
  readonly #openRoom: OpenRoom | null;
  readonly #queue: ScanQueue;
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  private constructor(options: ProbeOptions, scope: LoadedScope | null, openRoom: OpenRoom | null) {
    this.options = options;
    this.#scope = scope;
    this.#openRoom = openRoom;
    const { scans = 1, perTarget = 1 } = scope?.concurrency ?? {};
    this.#queue = new ScanQueue({ scans, perTarget, waiting: mostWaiting });
  }

  static async open(options: ProbeOptions, resolve: ResolveHost = hostResolver()): Promise<Probe> {
    const { scopeFile: file, environment } = options;
    if (file === null) return new Probe(options, null, null);
    const scope = await loadScope({ file, environment, resolve, now: Date.now() });
    return new Probe(options, scope, await openRooms(options, scope));
  }

  /** @throws UsageError where there is none. */
  get scope(): LoadedScope {
    if (this.#scope === null) throw noScope();
    return this.#scope;
  }

  async available(): Promise<readonly Availability[]> {
    return findAvailable(scanners);
  }

  /** Where a scan would go, or why not; nothing is sent. */
  aim(scanner: ScannerDefinition, input: Readonly<Record<string, unknown>>): Aim {
    return scanner.aim(input as never, aimMeans(this.scope));
  }

  /** One scan to its end. What goes wrong in it is in the result; what is wrong about it is thrown. */
  scan(scanner: ScannerDefinition, input: Readonly<Record<string, unknown>>, call: ScanCall): Promise<KeptScan> {
    const work = this.#scan(scanner, input, { ...call, signal: AbortSignal.any([call.signal, this.#ended.signal]) });
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(settled);
    void settled.then(() => this.#running.delete(settled));
    return work;
  }

  async #scan(scanner: ScannerDefinition, input: Readonly<Record<string, unknown>>, call: ScanCall): Promise<KeptScan> {
    const aim = this.aim(scanner, input);
    const credential = this.#credential(scanner, input);
    this.#needTime();
    await this.#needProgram(scanner);
    this.#needPins(scanner, aim, credential);
    return this.#queue.run(
      aim.addresses,
      call.signal,
      (ahead) => call.progress(`waiting for its turn, ${ahead} before it`),
      () => {
        // It may have waited until it was over.
        this.#needTime();
        return this.#run(scanner, input, { aim, credential }, call);
      },
    );
  }

  #credential(scanner: ScannerDefinition, { credential }: Readonly<Record<string, unknown>>): Credential | null {
    if (typeof credential !== 'string') return null;
    if (!('credential' in scanner.input.shape)) throw new UsageError(`${scanner.name} takes no credential`);
    return credentialOf(this.scope, credential, this.options.environment);
  }

  #needTime(): void {
    const objection = objectToTime(this.scope, Date.now());
    if (objection !== null) throw new UsageError(objection, { code: 'OUT_OF_TIME' });
  }

  async #needProgram(scanner: ScannerDefinition): Promise<void> {
    const obstacle = await findObstacle(scanner);
    if (obstacle === null) return;
    throw new HostError(`${scanner.name} is not available: ${obstacle}`, {
      hint: 'hotcell probe scope lists what is installed',
      code: 'PROGRAM_MISSING',
    });
  }

  /** Without a gate nothing holds a program of others to the pinned addresses, and nothing can add a credential. */
  #needPins({ name, screened }: ScannerDefinition, { host, addresses }: Aim, credential: Credential | null): void {
    if (this.options.networkLayer === 'gate' || !screened) return;
    if (!addresses.includes(host)) {
      throw new UsageError(`${name} would look up ${host} by itself`, {
        hint: 'name the address, or scan where Hotcell keeps the gate',
      });
    }
    if (credential !== null) {
      throw new UsageError(`${name} is never shown a credential, and there is no gate here to add it`, {
        hint: 'scan where Hotcell keeps the gate, or use one of its own scanners',
      });
    }
  }

  async #run(
    scanner: ScannerDefinition,
    input: Readonly<Record<string, unknown>>,
    { aim, credential }: { readonly aim: Aim; readonly credential: Credential | null },
    call: ScanCall,
  ): Promise<KeptScan> {
    const { scope } = this;
    if (this.#openRoom === null) throw noScope();
    const startedAt = Date.now();
    const id = `${new Date(startedAt).toISOString().slice(0, 19).replace(/[-:T]/g, '')}-${randomBytes(4).toString('hex')}`;
    const folder = await makeScanFolder(this.options.homeFolder, id);
    const pace = shareOfPace({ ...scope.rate, connections: scope.concurrency.connections }, this.#queue.running);
    const { limits } = aimMeans(scope);
    const untilMs = endsAt(scope, startedAt) ?? Infinity;
    // Asked again when the room is open: that takes time, and the scope ends when it ends.
    const timeLeft = (): number => Math.max(1, Math.min(scanner.timeoutMs, untilMs - Date.now()));
    const timeoutMs = timeLeft();
    call.progress('opening a room', 0);
    const { screened, avoids } = scanner;
    const room = await this.#openRoom({
      ...{ id, aim, limits, pace, screened, credential, timeoutMs, folder },
      ...(avoids === undefined ? {} : { avoids }),
    }).catch(async (error: unknown) => {
      await dropEmptyFolder(folder);
      throw error;
    });
    let ended: RunEnd | null = null;
    let failure: unknown = null;
    let command: readonly string[] = [];
    let network: RoomEnd;
    try {
      const means: CommandMeans = { aim, pace, paths: room.paths, limits, credential: screened ? null : credential };
      const built = scanner.build(input as never, means);
      command = built.argv;
      call.progress(`${scanner.command} ${aim.label}`, 0.1);
      const tell = watchOutput(call, scanner.command);
      ended = await room.run({ ...built, timeoutMs: timeLeft(), signal: call.signal, onOutput: tell });
    } catch (error) {
      failure = error;
    } finally {
      network = await room.close();
    }
    if (failure !== null && !call.signal.aborted) throw failure;
    const kept = await this.#judge(scanner, aim, { id, input, command, ended, network, startedAt });
    await keepScan(folder, kept);
    return kept;
  }

  async #judge(
    scanner: ScannerDefinition,
    aim: Aim,
    run: {
      readonly id: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly command: readonly string[];
      readonly ended: RunEnd | null;
      readonly network: RoomEnd;
      readonly startedAt: number;
    },
  ): Promise<KeptScan> {
    const { ended, network } = run;
    const output: ScanOutput = {
      stdout: ended?.stdout ?? Buffer.alloc(0),
      stderr: ended?.stderr ?? Buffer.alloc(0),
      outputFile: ended?.outputFile ?? null,
      exitCode: ended?.exitCode ?? null,
      isWhole: ended?.status === 'completed',
    };
    const { findings, notes } = await scanner.parse(output, aim);
    const shown = findings.slice(0, mostFindings);
    const status =
      ended === null ? 'cancelled' : ended.status === 'completed' && ended.exitCode !== 0 ? 'error' : ended.status;
    const stderrTail = status === 'error' && output.stderr.length > 0 ? [tailOf(output.stderr)] : [];
    const result: ScanResult = {
      id: run.id,
      tool: scanner.name,
      target: aim.label,
      command: run.command.slice(0, 256).map((word) => short(word, 8192)),
      status,
      exit_code: ended?.exitCode ?? null,
      findings: shown.map((finding) => ({ ...finding })),
      notes: [
        ...(findings.length > shown.length ? [`${findings.length - shown.length} findings more were left out`] : []),
        ...notes,
        ...(ended?.notes ?? []),
        ...stderrTail,
      ]
        .slice(0, mostNotes)
        .map((note) => short(note, 1024)),
      raw: short(forModel(untrusted(rawOf(output), rawCharacters), `${scanner.command} about ${aim.label}`), 40_000),
      raw_file: ended?.rawFile ?? null,
      scope: { name: this.scope.name, fingerprint: this.scope.fingerprint },
      network: {
        by: network.by,
        connections: network.connections,
        // Only those of programs of others pass where they can be counted.
        requests: scanner.screened ? network.requests : null,
        refused: network.refused.map((each) => ({ ...each })),
        capture: network.capture,
        is_complete: network.isComplete,
      },
      started: new Date(run.startedAt).toISOString(),
      elapsed_ms: Date.now() - run.startedAt,
    };
    const judged = [...scanner.judge(shown, aim, againOf(scanner, run.input))];
    return { format: 'hotcell-scan', version: 1, host: aim.host, result, findings: judged };
  }

  /** Ends what runs, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#ended.abort(new UsageError('probe is closed'));
    await Promise.all(this.#running);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function rawOf({ outputFile, stdout, stderr }: ScanOutput): Buffer {
  if (stdout.length > 0) return stdout;
  return outputFile !== null && outputFile.length > 0 ? outputFile : stderr;
}

function tailOf(stderr: Buffer): string {
  return `it said: ${forTerminal(untrusted(stderr.subarray(-600)))}`;
}

/** Something moves: that is all that most programs tell before their end. */
function watchOutput(call: ScanCall, command: string): (stream: 'stdout' | 'stderr', bytes: Buffer) => void {
  let seen = 0;
  let toldAt = performance.now();
  return (_, bytes) => {
    seen += bytes.length;
    if (performance.now() - toldAt < 1000) return;
    toldAt = performance.now();
    call.progress(`${command}: ${seen} bytes so far`, 0.5);
  };
}

async function openRooms(options: ProbeOptions, scope: LoadedScope): Promise<OpenRoom> {
  try {
    if (options.networkLayer === 'outside') return (await import('./room/in-place.ts')).roomsInPlace();
    const { gatedRooms } = await import('./room/gated.ts');
    return gatedRooms({
      scope,
      backend: options.backend,
      runtimeFolder: options.runtimeFolder,
      dockerSocket: options.dockerSocket,
      connections: new Pacer(scope.rate.connectionsPerSecond),
      requests: new Pacer(scope.rate.requestsPerSecond),
      mostConnections: scope.concurrency.connections,
    });
  } catch (error) {
    if (isKnownError(error)) throw error;
    throw new HostError(`cannot open rooms for scanners: ${describeError(error)}`, { cause: error });
  }
}
