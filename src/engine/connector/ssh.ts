import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientChannel } from 'ssh2';
import { describeError, HostError, UsageError } from '../../base/errors.ts';
import { checkNumber, show } from './checks.ts';
import type { Connector } from './contract.ts';
import { Gate } from './gate.ts';
import { hostName } from './known-hosts.ts';
import type { Lane, LaneEnd, Wire } from './lane.ts';
import { largestArgumentBytes } from './limits.ts';
import { quoteCommand } from './quote.ts';
import { openRemote } from './remote.ts';
import { readShellCode } from './signals.ts';
import { connectSsh, type SshOptions } from './ssh-connect.ts';
import { within } from './within.ts';

export type { SshOptions } from './ssh-connect.ts';

/** Servers let ten commands share a connection; two are left for what ends others. */
const lanesAtOnce = 8;
const openMs = 20_000;
const openTries = 12;
const openPauseMs = 250;

/** What the package says when the command cannot have been begun. */
const notBegun = { gone: /^not connected/i, noRoom: /channel open failure/i };

class SshWire implements Wire {
  readonly #options: SshOptions;
  readonly #gate = new Gate(lanesAtOnce);
  #client: Promise<Client> | undefined;
  #held = 0;
  readonly #closing = new AbortController();

  constructor(options: SshOptions) {
    this.#options = options;
  }

  get #name(): string {
    return show(hostName(this.#options.host, this.#options.port));
  }

  /** One connection for everybody who comes while it is made or there. */
  #connect(): Promise<Client> {
    if (this.#closing.signal.aborted)
      return Promise.reject(new HostError(`the connection to ${this.#name} was closed`));
    if (this.#client !== undefined) return this.#client;
    const made = connectSsh(this.#options, this.#closing.signal).then((client) => {
      client.once('close', () => this.#forget(made));
      return client;
    });
    this.#client = made;
    made.catch(() => this.#forget(made));
    return made;
  }

  #forget(client: Promise<Client>): void {
    if (this.#client === client) this.#client = undefined;
  }

  async #openLane(line: string, leave: () => void, signal: AbortSignal | undefined): Promise<Lane> {
    for (let tries = 1; ; ) {
      const connection = this.#connect();
      const client = await connection;
      signal?.throwIfAborted();
      try {
        // Held at once: a quick command may have ended before anyone who waits for a promise is told.
        const opened = new Promise<Lane>((resolve, reject) => {
          client.exec(line, (error, channel) =>
            error === undefined ? resolve(this.#hold(channel, leave)) : reject(error),
          );
        });
        return await within(openMs, `${this.#name} was asked to begin a command`, opened, (late) => late.drop());
      } catch (error) {
        const message = describeError(error);
        const isGone = notBegun.gone.test(message);
        if (isGone) this.#forget(connection);
        // Anything else may have begun it: to ask once more could be to run it twice.
        if (!isGone && !notBegun.noRoom.test(message)) {
          // Without an answer the others that share the connection wait in vain too.
          if (error instanceof HostError) client.destroy();
          throw this.#lost(`: ${show(message)}`, error);
        }
        // Room comes when another command ends, and each of those has a time limit.
        if (isGone || this.#held === 0) tries += 1;
        if (tries > openTries) {
          throw new HostError(`${this.#name} does not begin a command: ${show(message)}`, {
            hint: 'MaxSessions in the settings of the ssh server says how many may run at once',
            cause: error,
          });
        }
        await sleep(openPauseMs);
      }
    }
  }

  #lost(why: string, cause?: unknown): HostError {
    return new HostError(`the connection to ${this.#name} was lost while a command ran${why}`, {
      hint: 'the next command connects anew',
      cause,
    });
  }

  async begin(
    argv: readonly string[],
    options: { readonly signal?: AbortSignal; readonly isUrgent?: boolean },
  ): Promise<Lane> {
    const line = quoteCommand(argv);
    if (Buffer.byteLength(line) > largestArgumentBytes) {
      throw new UsageError(`the command is longer than the ${largestArgumentBytes} bytes that ssh can carry`, {
        hint: 'hand it in as input, or as a file',
      });
    }
    const leave = options.isUrgent ? () => undefined : await this.#gate.enter(options.signal);
    try {
      return await this.#openLane(line, leave, options.signal);
    } catch (error) {
      leave();
      throw error;
    }
  }

  #hold(channel: ClientChannel, leave: () => void): Lane {
    const { promise: ended, resolve, reject } = Promise.withResolvers<LaneEnd>();
    let end: LaneEnd | undefined;
    let isHeld = true;
    this.#held += 1;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#held -= 1;
      leave();
    };
    // The close itself may wait for input that nobody will take any more, so that the rest is enough.
    let left = 3;
    const one = (): void => {
      left -= 1;
      if (left === 0 && end !== undefined) resolve(end);
    };
    channel.on('error', () => undefined);
    channel.once('exit', (code: number | null, signal?: string) => {
      end = code === null ? { code: null, signal: signal ?? null } : readShellCode(code);
      one();
    });
    channel.once('end', one);
    channel.stderr.once('end', one);
    channel.once('close', () => {
      release();
      if (end === undefined) reject(this.#lost(''));
      else resolve(end);
    });
    ended.catch(() => undefined);
    return {
      stdin: channel,
      stdout: channel,
      stderr: channel.stderr,
      ended,
      drop: () => {
        channel.close();
        channel.destroy();
        channel.stderr.destroy();
        release();
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // A connection that is there was ended by the same signal.
    await this.#client?.catch(() => undefined);
  }
}

export function openSsh(options: SshOptions): Connector {
  checkNumber('the port', options.port, 1, 65_535);
  if (options.host === '' || options.user === '') throw new UsageError('ssh needs a host and a user');
  // A user that sets a setting or a host with a line end has no honest reason.
  if (/[\s\0,]/.test(options.host)) throw new UsageError(`not a name of a host: ${show(options.host)}`);
  const place = `${show(options.user)} at ${show(hostName(options.host, options.port))} over ssh`;
  return openRemote('ssh', place, new SshWire(options));
}
