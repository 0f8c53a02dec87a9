import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { HostError, UsageError } from '../../base/errors.ts';
import { show } from './checks.ts';
import type { Connector } from './contract.ts';
import { explainDocker } from './docker-errors.ts';
import { splitFrames } from './docker-frames.ts';
import type { Lane, LaneEnd, Wire } from './lane.ts';
import { openRemote } from './remote.ts';
import { readShellCode } from './signals.ts';
import { within } from './within.ts';

export interface DockerOptions {
  readonly socketPath: string;
  /** Name or id of a container that runs. */
  readonly container: string;
  /** Name or number, with `:group` where wanted. Default: what the image says. */
  readonly user?: string;
}

const engineMs = 30_000;
const inspectRounds = 40;
const inspectPauseMs = 50;
const stayRounds = 8;
const killedCode = 137;
const notStarted = new Set([126, 127]);
const isOfEngine = /^(unable to find user|OCI runtime exec failed)/;

/** Stdin and the two streams of an exec travel over one hijacked connection each: nothing is shared, nothing has to be opened anew. */
class DockerWire implements Wire {
  readonly #options: DockerOptions;
  readonly #lanes = new Set<Duplex>();
  #engine: Promise<Docker> | undefined;

  constructor(options: DockerOptions) {
    this.#options = options;
  }

  /** Loaded with the first command: nobody else should wait for it. */
  #connect(): Promise<Docker> {
    this.#engine ??= import('dockerode').then(
      ({ default: Client }) => new Client({ socketPath: this.#options.socketPath }),
    );
    return this.#engine;
  }

  async #call<Value>(what: string, work: Promise<Value>, late?: (value: Value) => void): Promise<Value> {
    try {
      return await within(engineMs, `the docker engine was asked to ${what}`, work, late);
    } catch (error) {
      throw explainDocker(error, this.#options);
    }
  }

  async begin(argv: readonly string[], { signal }: { readonly signal?: AbortSignal }): Promise<Lane> {
    const container = (await this.#connect()).getContainer(this.#options.container);
    const begunAt = Date.now();
    const exec = await this.#call(
      'prepare a command',
      container.exec({
        Cmd: [...argv],
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
        ...(this.#options.user === undefined ? {} : { User: this.#options.user }),
      }),
    );
    signal?.throwIfAborted();
    const stream = await this.#call('begin a command', exec.start({ hijack: true, stdin: true }), (late) =>
      late.destroy(),
    );
    this.#lanes.add(stream);
    stream.once('close', () => this.#lanes.delete(stream));
    stream.on('error', () => undefined);
    const { stdout, stderr, done, beginning } = splitFrames(stream);
    const ended = done.catch(() => undefined).then(() => this.#readEnd(container, exec, begunAt, beginning));
    ended.catch(() => undefined);
    return {
      stdin: stream,
      stdout,
      stderr,
      ended,
      drop: () => {
        stream.destroy();
        stdout.destroy();
        stderr.destroy();
      },
    };
  }

  async #readEnd(
    container: Docker.Container,
    exec: Docker.Exec,
    begunAt: number,
    beginning: () => Buffer,
  ): Promise<LaneEnd> {
    const lost = (why: string): HostError =>
      new HostError(
        `the connection to the container ${show(this.#options.container)} was lost while a command ran: ${why}`,
        {
          hint: 'the next command connects anew',
        },
      );
    for (let round = 0; round < inspectRounds; round += 1) {
      const found = await within(engineMs, 'the docker engine was asked for an exit code', exec.inspect()).catch(
        () => undefined,
      );
      if (found === undefined) throw lost('the engine no longer knows of it');
      if (found.Running || found.ExitCode === null) {
        await sleep(inspectPauseMs);
        continue;
      }
      if (found.Pid === 0 && notStarted.has(found.ExitCode) && isOfEngine.test(beginning().toString('latin1'))) {
        throw explainDocker(new Error(beginning().toString('utf8').trim()), this.#options);
      }
      // What ended with the container did not end by itself.
      if (found.ExitCode === killedCode && !(await this.#hasStayed(container, begunAt))) {
        throw lost('the container stopped');
      }
      return readShellCode(found.ExitCode);
    }
    throw lost('its streams ended before it did');
  }

  /** The end of a container is told a moment after the end of what ran in it. */
  async #hasStayed(container: Docker.Container, begunAt: number): Promise<boolean> {
    for (let round = 0; round < stayRounds; round += 1) {
      const work = container
        .inspect()
        .then(({ State: state }) => state.Running && Date.parse(state.StartedAt) <= begunAt);
      if (!(await within(engineMs, 'the docker engine was asked for the container', work).catch(() => false)))
        return false;
      await sleep(inspectPauseMs);
    }
    return true;
  }

  async close(): Promise<void> {
    for (const stream of this.#lanes) stream.destroy();
  }
}

export function openDocker(options: DockerOptions): Connector {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(options.container)) {
    throw new UsageError(`not a name of a container: ${show(options.container)}`);
  }
  const as = options.user === undefined ? 'as the user of its image' : `as ${show(options.user)}`;
  return openRemote('docker', `container ${options.container}, ${as}`, new DockerWire(options));
}
