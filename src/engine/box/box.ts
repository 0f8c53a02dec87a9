import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { exitCodes, HostError, UsageError } from '../../base/errors.ts';
import type { Policy } from '../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { fingerprintPolicy } from '../policy/canonical.ts';
import type { Gap } from '../policy/gap.ts';
import { askAirlock, awaitListener, confirmListener, giveOrder, type MessageLine } from './airlock.ts';
import type {
  BackendId,
  Box,
  BoxFolders,
  BoxProcess,
  BoxRecord,
  CheckResult,
  Diff,
  LimitInForce,
  PutFile,
  SpawnOptions,
} from './contract.ts';
import { maxGetBytes } from './disk/disk.ts';
import { buildEnvironment } from './environment.ts';
import type { Foundation } from './foundation.ts';
import { beatSignal, fetchListener, watchQuestions } from './heart.ts';
import type { Launched } from './launched.ts';
import { signalAll } from './process-tree.ts';
import { RunningProcess } from './running.ts';
import { startReaper } from './undo.ts';

/** What one backend adds to the foundation. */
export interface Confinement {
  readonly backend: BackendId;
  readonly gaps: readonly Gap[];
  readonly limitsInForce: readonly LimitInForce[];
  readonly watchedBy: BoxRecord['watchedBy'];
  readonly isOnNetwork: boolean;
  questions(): Promise<readonly MessageLine[]>;
  /** Starts the airlock in a confined place; `number` counts the spawns of this box. */
  launch(number: number): Promise<Launched> | Launched;
}

const airlockTimeoutMs = 30_000;
const endTimeoutMs = 20_000;
const maxArgumentBytes = 1024 * 1024;
const tailBytes = 1000;
const tailTimeoutMs = 1000;

export class ConfinedBox implements Box {
  record: BoxRecord;
  readonly #policy: Policy;
  readonly #foundation: Foundation;
  readonly #confinement: Confinement;
  readonly #launched = new Set<Launched>();
  /** Proven and waiting for its order: the first spawn costs nothing more. */
  #waiting: Launched | null = null;
  #count = 0;
  /** How the heart of every target that runs is made to beat. */
  readonly #hearts = new Map<Launched, () => void | Promise<void>>();
  #closing: Promise<void> | null = null;

  private constructor(policy: Policy, foundation: Foundation, confinement: Confinement) {
    this.#policy = policy;
    this.#foundation = foundation;
    this.#confinement = confinement;
    this.record = {
      id: foundation.id,
      backend: confinement.backend,
      policy: policy.name,
      fingerprint: '',
      limitsInForce: confinement.limitsInForce,
      gaps: confinement.gaps,
      selfCheck: [],
      watchedBy: confinement.watchedBy,
      isOnNetwork: confinement.isOnNetwork,
      passedOver: [],
    };
  }

  /**
   * Confines, starts and proves a box. One that cannot be made or does not hold is destroyed, with its foundation, before
   * anything runs in it.
   */
  static async open(
    policy: Policy,
    foundation: Foundation,
    confine: () => Promise<Confinement> | Confinement,
  ): Promise<ConfinedBox> {
    let box: ConfinedBox | null = null;
    try {
      box = new ConfinedBox(policy, foundation, await confine());
      box.#waiting = await box.#start();
      return box;
    } catch (error) {
      await (box?.close() ?? destroy(foundation)).catch(() => undefined);
      throw error;
    }
  }

  get folders(): BoxFolders {
    return this.#foundation.disk.insideFolders;
  }

  async #start(): Promise<Launched> {
    const number = this.#count;
    this.#count += 1;
    const launched = await this.#confinement.launch(number);
    this.#launched.add(launched);
    const { undo } = this.#foundation;
    if (!undo.isWatched) undo.watch(startReaper(undo.boxFolder));
    void launched.ended.finally(() => this.#forget(launched)).catch(() => undefined);
    // While the box starts on another core.
    if (this.record.fingerprint === '') this.record = { ...this.record, fingerprint: fingerprintPolicy(this.#policy) };
    const questions = [
      ...(await this.#confinement.questions()),
      ...watchQuestions(this.#foundation.hooks, this.record.watchedBy),
    ];
    const checks = await askAirlock(launched, questions, airlockTimeoutMs);
    if (checks === null) throw await this.#explainSilence(launched);
    const broken = checks.filter((check) => check.result === 'broken');
    this.record = { ...this.record, selfCheck: checks };
    if (broken.length > 0) {
      launched.end();
      throw new HostError(`the ${this.record.backend} box does not hold: ${broken.map(describeCheck).join('; ')}`, {
        exitCode: exitCodes.noIsolation,
      });
    }
    return launched;
  }

  async #explainSilence(launched: Launched): Promise<HostError> {
    launched.end();
    const error = await launched.ended.then(() => null).catch((cause: HostError) => cause);
    if (error !== null) return error;
    const tail = await readTail(launched.stderr);
    const said = tail.length === 0 ? 'it said nothing' : forTerminal(untrusted(tail));
    return new HostError(`the ${this.record.backend} box did not start: ${said}`, { exitCode: exitCodes.noIsolation });
  }

  async spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<BoxProcess> {
    if (this.#closing !== null) throw new UsageError('cannot start anything in a box that is closed');
    checkArguments(argv);
    const environment = buildEnvironment(
      this.#policy,
      { folders: this.folders, userName: this.#foundation.identity.userName },
      options.environment ?? {},
    );
    const ready = this.#waiting;
    this.#waiting = null;
    const launched = ready ?? (await this.#start());
    giveOrder(launched, { argv, environment, cwd: options.cwd ?? this.folders.work });
    await this.#letWatch(launched);
    const { cgroup, disk } = this.#foundation;
    return new RunningProcess({ launched, limits: this.#policy.limits, cgroup, disk, signal: options.signal });
  }

  #forget(launched: Launched): void {
    this.#launched.delete(launched);
    this.#hearts.delete(launched);
  }

  /** Hands the listener of reported system calls over before the target is let go. */
  async #letWatch(launched: Launched): Promise<void> {
    const { watchedBy } = this.record;
    if (watchedBy === null) return;
    let beat = launched.beat?.bind(launched);
    if (watchedBy === 'notify') {
      try {
        const fd = await awaitListener(launched, airlockTimeoutMs);
        if (fd === null) throw await this.#explainSilence(launched);
        const listener = await fetchListener(launched, fd);
        await this.#foundation.hooks.takeListener?.(listener.fd, listener.pid);
        beat ??= async () => signalAll([listener.pid], beatSignal);
      } catch (error) {
        launched.end();
        throw error;
      }
      confirmListener(launched);
    }
    if (beat !== undefined) this.#hearts.set(launched, beat);
  }

  async beat(): Promise<number> {
    const hearts = [...this.#hearts.values()];
    const asked = await Promise.allSettled(hearts.map((beat) => beat()));
    // A target that ended meanwhile cannot be asked any more.
    return asked.filter(({ status }) => status === 'fulfilled').length;
  }

  put(path: string, content: Uint8Array, mode?: number): Promise<void> {
    return this.putAll([{ path, content, ...(mode === undefined ? {} : { mode }) }]);
  }

  putAll(files: Iterable<PutFile> | AsyncIterable<PutFile>): Promise<void> {
    return this.#foundation.disk.putAll(files);
  }

  get(path: string | Buffer, maxBytes = maxGetBytes): Promise<Buffer> {
    return this.#foundation.disk.get(path, maxBytes);
  }

  diff(): Promise<Diff> {
    return this.#foundation.disk.diff();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const ends = [...this.#launched].map((launched) => {
      launched.end();
      return launched.ended.catch(() => undefined);
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise((resolve) => {
      timer = setTimeout(resolve, endTimeoutMs);
    });
    await Promise.race([Promise.all(ends), tooLong]);
    clearTimeout(timer);
    await destroy(this.#foundation);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function destroy({ bait, undo }: Foundation): Promise<void> {
  bait.close();
  await undo.close();
}

/** The last words of a box that did not start. */
async function readTail(stream: Readable): Promise<Buffer> {
  let tail = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
  });
  await finished(stream, { signal: AbortSignal.timeout(tailTimeoutMs) }).catch(() => undefined);
  return tail;
}

function describeCheck(check: CheckResult): string {
  return `${check.id} (${check.detail})`;
}

function checkArguments(argv: readonly string[]): void {
  if (argv.length === 0 || argv[0] === '') throw new UsageError('a command is needed');
  const bytes = argv.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
  if (bytes > maxArgumentBytes)
    throw new UsageError(`the command has ${bytes} bytes of arguments, more than ${maxArgumentBytes}`);
  if (argv.some((argument) => argument.includes('\0'))) throw new UsageError('an argument has a NUL in it');
}
