import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { besideModule } from '../../../base/beside.ts';
import { HostError } from '../../../base/errors.ts';
import { toolEnvironment } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { NetEvent } from '../event.ts';
import { late } from '../late.ts';
import type { FromRouter, PassedStream, RouterCounts, StartOrder, ToRouter } from './messages.ts';

/** The parent's end of the router process. */

export interface RouterHandlers {
  /** The router goes on only when it has returned, or when its promise has resolved. */
  readonly onEvents: (events: readonly NetEvent[]) => void | Promise<void>;
  readonly onKeys?: (lines: string) => void;
  /** Resolves when the stream is closed. The socket is null when the box had closed it before it could travel. */
  readonly onStream?: (stream: PassedStream, socket: Socket | null) => Promise<void>;
}

const startTimeoutMs = 60_000;
/** Everything that waits is handed over first, as fast as the reader takes it. */
const stopTimeoutMs = 60_000;
const settingTimeoutMs = 5_000;
const keptErrorBytes = 4096;

function mainFile(): string {
  return fileURLToPath(besideModule(import.meta.url, 'router-main'));
}

export interface RouterEnd {
  readonly received: number;
  /** Events whose number is missing in the sequence. */
  readonly missing: number;
  /** Null when the process died before it could say. */
  readonly counts: RouterCounts | null;
  /** Wall time of an end that nobody asked for. */
  readonly diedAtMs: number | null;
}

export class RouterProcess {
  readonly #child: ChildProcess;
  readonly #handlers: RouterHandlers;
  /** Resolves when the process has ended, whoever ended it. */
  readonly exited: Promise<void>;
  #stderr = Buffer.alloc(0);
  readonly #readerFailed = Promise.withResolvers<void>();
  #work: Promise<void> = Promise.resolve();
  #received = 0;
  #lastSequence = 0;
  #counts: RouterCounts | null = null;
  #diedAtMs: number | null = null;
  #isStopping = false;
  #questions = 0;
  readonly #answers = new Map<number, (name: string | null) => void>();
  #waiters: { readonly type: FromRouter['type']; readonly resolve: () => void }[] = [];

  private constructor(child: ChildProcess, handlers: RouterHandlers) {
    this.#child = child;
    this.#handlers = handlers;
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        if (!this.#isStopping) this.#diedAtMs = Date.now();
        resolve();
      });
      child.once('error', () => resolve());
    });
    child.on('message', (message, handle) => this.#hear(message as FromRouter, handle));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-keptErrorBytes);
    });
  }

  /** `inRouter` gives the arguments of `ip` that lead into the router's namespace. */
  static async start(
    inRouter: (argv: readonly string[]) => readonly string[],
    order: StartOrder,
    handlers: RouterHandlers,
  ): Promise<RouterProcess> {
    const argv = inRouter([process.execPath, '--no-warnings', mainFile()]);
    const child = spawn('ip', [...argv], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...toolEnvironment, UV_THREADPOOL_SIZE: '8' },
    });
    const router = new RouterProcess(child, handlers);
    try {
      await router.#hearOf('waiting');
      const ready = router.#hearOf('ready');
      router.#tell(order);
      await ready;
      return router;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  #tell(message: ToRouter): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #hear(message: FromRouter, handle: unknown): void {
    if (message.type === 'keys') this.#handlers.onKeys?.(message.lines);
    if (message.type === 'stream') this.#take(message, handle instanceof Socket ? handle : null);
    if (message.type === 'stopped') {
      const { droppedDatagrams, forgottenNames, problems } = message;
      this.#counts = { droppedDatagrams, forgottenNames, problems };
    }
    if (message.type === 'events') {
      const { id, events } = message;
      this.#received += events.length;
      this.#lastSequence = Math.max(this.#lastSequence, events.at(-1)?.sequence ?? 0);
      // One after the other, so that a slow reader gets them in order.
      this.#work = this.#work
        .then(() => this.#handlers.onEvents(events))
        .then(() => this.#tell({ type: 'acknowledge', id }));
      // That the reader failed is told by `stop`, which then does not wait for what nobody will take.
      this.#work.catch(() => this.#readerFailed.resolve());
    }
    if (message.type === 'hosts-set') this.#answers.get(message.id)?.(null);
    if (message.type === 'name') this.#answers.get(message.id)?.(message.name);
    const heard = this.#waiters.filter(({ type }) => type === message.type);
    this.#waiters = this.#waiters.filter(({ type }) => type !== message.type);
    for (const { resolve } of heard) resolve();
  }

  #take({ connection, peer, asked }: PassedStream, socket: Socket | null): void {
    const { onStream } = this.#handlers;
    if (onStream === undefined) {
      socket?.destroy();
      return;
    }
    const tellEnd = (): void => this.#tell({ type: 'stream-ended', connection });
    onStream({ connection, peer, asked }, socket).then(tellEnd, () => {
      socket?.destroy();
      tellEnd();
    });
  }

  async #hearOf(type: FromRouter['type']): Promise<void> {
    const heard = new Promise<'heard'>((resolve) => {
      this.#waiters.push({ type, resolve: () => resolve('heard') });
    });
    const outcome = await Promise.race([heard, this.exited.then(() => 'ended' as const), late(startTimeoutMs).promise]);
    if (outcome === 'heard') return;
    const said = forTerminal(untrusted(this.#stderr));
    throw new HostError(`the router process ${outcome === 'ended' ? 'ended' : 'did not start in time'}: ${said}`);
  }

  /** Resolves when names are answered by this list; rejects when the process is gone or does not say so in time. */
  async setHosts(hosts: readonly string[]): Promise<void> {
    await this.#ask((id) => ({ type: 'set-hosts', id, hosts }));
  }

  /** The name that an address was made up for; null when it stands for itself, or when nobody is there to tell. */
  async nameOf(address: string): Promise<string | null> {
    return this.#ask((id) => ({ type: 'name-of', id, address })).catch(() => null);
  }

  async #ask(question: (id: number) => ToRouter): Promise<string | null> {
    this.#questions += 1;
    const id = this.#questions;
    const answer = new Promise<{ readonly name: string | null }>((resolve) => {
      this.#answers.set(id, (name) => resolve({ name }));
    });
    this.#tell(question(id));
    const outcome = await Promise.race([
      answer,
      this.exited.then(() => 'ended' as const),
      late(settingTimeoutMs).promise,
    ]);
    this.#answers.delete(id);
    if (typeof outcome === 'object') return outcome.name;
    throw new HostError(`the router process ${outcome === 'ended' ? 'has ended' : 'does not answer'}`);
  }

  /** Lets it finish what it has, and ends it. Rejects when reading its events failed. */
  async stop(): Promise<RouterEnd> {
    const isAlive = this.#child.exitCode === null && this.#child.signalCode === null;
    if (isAlive) {
      this.#isStopping = true;
      const stopped = new Promise<void>((resolve) => {
        this.#waiters.push({ type: 'stopped', resolve });
      });
      this.#tell({ type: 'stop' });
      await Promise.race([stopped, this.exited, this.#readerFailed.promise, late(stopTimeoutMs).promise]);
      this.#child.kill('SIGKILL');
      await this.exited;
    }
    await this.#work;
    // Who ends without having said so has died, even while it was being asked to stop.
    if (this.#counts === null) this.#diedAtMs ??= Date.now();
    return {
      received: this.#received,
      missing: this.#lastSequence - this.#received,
      counts: this.#counts,
      diedAtMs: this.#diedAtMs,
    };
  }
}
