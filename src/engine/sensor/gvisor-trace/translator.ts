import type { Event, EventKind } from '../../../base/event-schema.ts';
import { type Architecture, hostArchitecture } from '../../../base/ffi.ts';
import { airlockTarget } from '../../policy/compile/place.ts';
import { syscallNumbers } from '../../policy/syscalls/numbers.ts';
import type { Sighting } from '../contract.ts';
import { addressFields, bytesField, openFields } from '../fields.ts';
import { type Heartbeat, HeartbeatSpotter } from '../heartbeat.ts';
import { argvField } from './argv.ts';
import { type Attempt, Attempts } from './attempts.ts';
import { watchedCalls } from './calls.ts';
import { type Clock, eventTimes, toMonotonic } from './clock.ts';
import { type Context, type Message, type MessageType, messageTypes, readers } from './messages.ts';
import { type CallOutcome, endFields, outcomeOf } from './outcome.ts';
import { joinPath, nameOf, ProcessBook } from './process-book.ts';

/** Messages of one sandbox, in the order in which they came, become sightings. */

const types = messageTypes;
const currentFolder = -100;
const highestPid = 4_194_304;
const initPid = 1;
/** CLONE_PARENT: the new process is a sibling of the one that made it. */
const siblingFlag = 0x8000;
const noSocket = -1;
/** A call that takes longer is told before its end. */
const slowCallNs = 250_000_000n;

interface Told {
  readonly kind: EventKind;
  readonly fields: Event['fields'];
  readonly outcome?: CallOutcome | undefined;
  readonly truncated?: readonly string[];
}

/** Processes of one sandbox are numbered from 1; those of the next one, for us, from here. */
const pidsPerSandbox = 65_536;
const mostSandboxes = Math.floor(highestPid / pidsPerSandbox) - 1;

export interface TranslatorOptions {
  readonly architecture?: Architecture;
  /** Which of the sandboxes that one sensor watches, so that no two processes of a box have one number. */
  readonly sandbox?: number;
}

type Handlers = { readonly [T in MessageType]: (message: Message<T>, context: Context) => void };

export class Translator {
  readonly #clock: Clock;
  readonly #emit: (sighting: Sighting) => void;
  readonly #calls;
  readonly #toEventTime: (monotonicNs: bigint) => Event['at'];
  readonly #names: ReadonlyMap<number, string>;
  readonly #book = new ProcessBook();
  readonly #spotter = new HeartbeatSpotter();
  readonly #attempts = new Attempts((attempt) => this.#tellAttempt(attempt));
  #initEnd: { readonly timeNs: bigint; readonly status: number } | null = null;
  #isFirst = true;
  readonly #firstPid: number;
  /** What the airlock does before its heart beats for the first time is our own doing, and not told. */
  #isInAirlock = false;
  /** Whether the first message was that of the start: nothing can have happened before. */
  isFromStart = false;
  heartbeats = 0;

  constructor(clock: Clock, emit: (sighting: Sighting) => void, options: TranslatorOptions = {}) {
    const { architecture = hostArchitecture(), sandbox = 0 } = options;
    this.#firstPid = (sandbox % mostSandboxes) * pidsPerSandbox;
    this.#clock = clock;
    this.#toEventTime = eventTimes(clock);
    this.#emit = emit;
    this.#calls = watchedCalls(architecture);
    this.#names = new Map(
      Array.from(syscallNumbers, ([name, numbers]) => [numbers[architecture] ?? -1, name] as const),
    );
  }

  /** False when the message is not what its type says. */
  take(type: number, bytes: Uint8Array): boolean {
    if (this.#isFirst) this.isFromStart = type === types.containerStart;
    this.#isFirst = false;
    const reader = (readers as Readonly<Record<number, (bytes: Uint8Array) => Message<MessageType> | null>>)[type];
    // A type that was not asked for comes from a newer gVisor; it is not broken, only of no use.
    if (reader === undefined) return true;
    const message = reader(bytes);
    if (message === null) return false;
    const { context } = message;
    if (context === undefined) return type === types.rawCall;
    const { process: pid, thread } = context;
    if (pid < 1 || pid > highestPid || thread < 1 || thread > highestPid) return false;
    const handlers = this.#handlers as Readonly<Record<number, (message: unknown, context: Context) => void>>;
    handlers[type]?.(message, context);
    return true;
  }

  /** To be called now and then while nothing comes. */
  rest(): void {
    this.#attempts.tellBefore(this.#clock.now() - this.#clock.offsetNs - slowCallNs);
  }

  /** The sandbox is gone. */
  end(): void {
    this.#attempts.settleAll();
    if (this.#initEnd === null || !this.#book.has(initPid)) return;
    const { timeNs, status } = this.#initEnd;
    this.#tell(initPid, timeNs, { kind: 'exit', fields: endFields(status) });
    this.#book.remove(initPid);
  }

  readonly #handlers: Handlers = {
    [types.containerStart]: ({ cwd, argv }, { process: pid, timeNs }) => {
      const path = argv.items[0] ?? new Uint8Array();
      this.#book.add(pid, { parent: 0, name: nameOf(path), cwd: null, lastNs: 0n });
      this.#book.changeFolder(pid, cwd);
      this.#isInAirlock = Buffer.from(argv.items[1] ?? []).toString('latin1') === airlockTarget;
      this.#tellExec(pid, timeNs, path, argv, 'ok');
    },

    [types.clone]: ({ process: pid, flags }, { process: creator, timeNs }) => {
      if (pid === creator || pid <= 0 || pid > highestPid) return;
      this.#book.fork(pid, creator, (flags & siblingFlag) !== 0);
      this.#tell(pid, timeNs, { kind: 'fork', fields: {} });
    },

    [types.exitNotifyParent]: ({ status }, { process: pid, timeNs }) => {
      this.#tell(pid, timeNs, { kind: 'exit', fields: endFields(status) });
      this.#book.remove(pid);
    },

    // Every thread sends it; the first process has nobody to notify, and this is all that it sends.
    [types.taskExit]: ({ status }, { process: pid, thread, timeNs }) => {
      this.#attempts.settle(thread);
      if (pid === initPid && thread === initPid) this.#initEnd = { timeNs, status };
    },

    [types.rawCall]: (message, { process: pid, thread, timeNs }) => {
      const { number, exit } = message;
      const call = this.#calls.get(number);
      if (call === undefined) return;
      if (exit === undefined) {
        const kind = call.isEvent(message) ? call.kind : null;
        const { hasTwin, lost } = call;
        const fields = () => call.fields(message);
        this.#attempts.begin(thread, {
          pid,
          number,
          timeNs,
          kind,
          fields,
          lost,
          hasTwin,
          outcome: 'unknown',
          isTold: false,
        });
        return;
      }
      const waiting = this.#attempts.get(thread, number);
      if (waiting !== null) waiting.outcome = outcomeOf(exit);
      if (!call.hasTwin) this.#attempts.settle(thread);
    },

    [types.open]: ({ number, exit, folder, folderPath, path, flags }, { process: pid, thread, timeNs }) => {
      this.#attempts.end(thread, number);
      const outcome = outcomeOf(exit);
      const heartbeat = this.#spotter.spotOpen(pid, path);
      if (heartbeat !== null) return this.#tellHeartbeat(pid, timeNs, heartbeat, 'open', outcome);
      const field = bytesField(this.#absolute(pid, folder, folderPath, path));
      const truncated = field.droppedBytes === undefined ? [] : ['path'];
      this.#tell(pid, timeNs, { kind: 'open', fields: openFields(field, flags), outcome, truncated });
    },

    [types.exec]: ({ number, exit, folder, folderPath, path, argv }, { process: pid, thread, timeNs }) => {
      this.#attempts.end(thread, number);
      const isRelativeToFolder = this.#names.get(number) === 'execveat';
      const full = this.#absolute(
        pid,
        isRelativeToFolder ? folder : currentFolder,
        folderPath,
        path,
        isRelativeToFolder,
      );
      const outcome = outcomeOf(exit);
      if (outcome === 'ok') this.#book.get(pid).name = nameOf(full);
      this.#tellExec(pid, timeNs, full, argv, outcome);
    },

    [types.changeFolder]: ({ number, exit, folderPath, path }, { process: pid, thread }) => {
      this.#attempts.end(thread, number);
      if (outcomeOf(exit) !== 'ok') return;
      const isByNumber = this.#names.get(number) === 'fchdir';
      this.#book.changeFolder(pid, isByNumber ? joinPath(null, folderPath) : joinPath(this.#book.get(pid).cwd, path));
    },

    [types.connect]: ({ number, exit, socket, address }, { process: pid, thread, timeNs }) => {
      if (exit !== undefined) {
        const attempt = this.#attempts.end(thread, number);
        if (attempt === null || attempt.isTold) return;
        attempt.outcome = outcomeOf(exit);
        this.#tellAttempt(attempt);
        return;
      }
      const spotted = this.#spotter.spotConnect(pid, address);
      const heartbeat = socket === noSocket ? spotted : null;
      const target = addressFields(address);
      const fields = () => target;
      const said: Pick<Attempt, 'kind' | 'fields'> =
        heartbeat === null
          ? { kind: 'connect', fields }
          : { kind: 'heartbeat', fields: () => ({ ...heartbeat, of: 'connect' }) };
      const start = { pid, number, timeNs, lost: [], hasTwin: false, outcome: 'unknown', isTold: false } as const;
      this.#attempts.begin(thread, { ...start, ...said });
    },

    [types.bind]: ({ exit, address }, { process: pid, thread, timeNs }) => {
      this.#attempts.settle(thread);
      const told = { kind: 'bind', fields: addressFields(address), outcome: outcomeOf(exit) } as const;
      this.#tell(pid, timeNs, told);
    },

    [types.setId]: ({ number, exit, id }, context) => this.#tellSetUser(context, number, exit, [id]),

    [types.setThreeIds]: ({ number, exit, real, effective, saved }, context) =>
      this.#tellSetUser(context, number, exit, [real, effective, saved]),
  };

  /** A path as it was given where its folder is not known. */
  #absolute(pid: number, folder: number, folderPath: Uint8Array, path: Uint8Array, mayBeEmpty = false): Uint8Array {
    if (path.length === 0 && !mayBeEmpty) return path;
    return joinPath(folder === currentFolder ? this.#book.get(pid).cwd : folderPath, path) ?? path;
  }

  #tellExec(
    pid: number,
    timeNs: bigint,
    path: Uint8Array,
    list: Parameters<typeof argvField>[0],
    outcome: CallOutcome,
  ): void {
    const field = bytesField(path);
    const { argv, isCut } = argvField(list);
    const truncated = [...(field.droppedBytes === undefined ? [] : ['path']), ...(isCut ? ['argv'] : [])];
    const { cwd } = this.#book.get(pid);
    const where = cwd === null ? {} : { cwd: bytesField(cwd) };
    this.#tell(pid, timeNs, { kind: 'exec', fields: { path: field, argv: [...argv], ...where }, outcome, truncated });
  }

  #tellSetUser(context: Context, number: number, exit: Parameters<typeof outcomeOf>[0], ids: readonly number[]): void {
    this.#attempts.settle(context.thread);
    const fields = { call: this.#names.get(number) ?? 'setuid', ids: ids.map((id) => id | 0) };
    this.#tell(context.process, context.timeNs, { kind: 'set-user', fields, outcome: outcomeOf(exit) });
  }

  #tellHeartbeat(pid: number, timeNs: bigint, heartbeat: Heartbeat, of: string, outcome: CallOutcome): void {
    this.#tell(pid, timeNs, { kind: 'heartbeat', fields: { ...heartbeat, of }, outcome });
  }

  /** Of a call with a twin this is all there will be. */
  #tellAttempt({ pid, number, timeNs, kind, fields, lost, outcome }: Attempt): void {
    // Where it went cannot be known, unless it went nowhere.
    if (kind === null && this.#calls.get(number)?.hasTwin === true) this.#book.changeFolder(pid, null);
    if (kind === null) return;
    if (kind === 'exec' && outcome === 'ok') this.#book.get(pid).name = { text: '' };
    this.#tell(pid, timeNs, { kind, fields: fields(), outcome, truncated: lost });
  }

  #tell(pid: number, timeNs: bigint, { kind, fields, outcome, truncated = [] }: Told): void {
    const known = this.#book.get(pid);
    const atNs = toMonotonic(this.#clock, timeNs);
    if (atNs > known.lastNs) known.lastNs = atNs;
    if (kind === 'heartbeat') this.#isInAirlock = false;
    if (this.#isInAirlock) return;
    if (kind === 'heartbeat' && fields.of === 'connect') this.heartbeats += 1;
    this.#emit({
      at: this.#toEventTime(known.lastNs),
      process: this.#book.describe(pid, this.#firstPid),
      kind,
      fields,
      ...(outcome === undefined ? {} : { outcome }),
      ...(truncated.length === 0 ? {} : { truncated: [...truncated] }),
    });
  }
}
