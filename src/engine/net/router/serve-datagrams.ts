import { createSocket, type Socket } from 'node:dgram';
import { promisify } from 'node:util';
import { describeError } from '../../../base/errors.ts';
import { keepBytes } from '../event.ts';
import type { Datagram, DatagramListener, SharedWorld } from '../listener.ts';
import { type Endpoint, MessageBuffer } from './received-message.ts';
import type { Recorder } from './recorder.ts';
import { receive } from './system-sockets.ts';

/** Every datagram of the box. The answer comes from the very address and port that were asked. */

const doNotWait = 0x40;
/** Datagrams taken in one go before others get their turn. */
const mostAtOnce = 64;
const mostAnswerSockets = 256;

const waitForMessage = promisify(receive.async) as (
  fd: number,
  message: Buffer,
  flags: number,
) => Promise<number | bigint>;

export class DatagramServer {
  readonly #world: SharedWorld;
  readonly #recorder: Recorder;
  readonly #listeners: readonly DatagramListener[];
  readonly #answerSockets = new Map<string, Promise<Socket>>();
  readonly #overflowed = new Map<number, number>();
  #isClosed = false;

  constructor(world: SharedWorld, recorder: Recorder, listeners: readonly DatagramListener[]) {
    this.#world = world;
    this.#recorder = recorder;
    this.#listeners = listeners;
  }

  /** Datagrams that the kernel dropped because they came faster than they were read. */
  get dropped(): number {
    return [...this.#overflowed.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Reads until it is closed. Waiting happens on another thread, and ends by itself after the socket's time. */
  async run(fd: number): Promise<void> {
    const buffer = new MessageBuffer();
    while (!this.#isClosed) {
      buffer.prepare();
      let length = Number(await waitForMessage(fd, buffer.header, 0));
      for (let count = 0; length >= 0 && count < mostAtOnce; count += 1) {
        await this.#take(fd, buffer.read(length));
        buffer.prepare();
        length = count + 1 < mostAtOnce ? Number(receive(fd, buffer.header, doNotWait)) : -1;
      }
    }
  }

  async #take(fd: number, message: ReturnType<MessageBuffer['read']>): Promise<void> {
    const { peer, bytes, control } = message;
    if (control.overflowed !== null) this.#overflowed.set(fd, control.overflowed);
    if (peer === null || control.asked === null) return;
    const asked = { ...control.asked, name: this.#world.names.nameOf(control.asked.address) };
    const connection = this.#recorder.nextConnection();
    const source = { transport: 'udp', connection, peer, asked, isInsideTls: false } as const;
    const record: Datagram['record'] = (kind, details) => this.#recorder.record(source, kind, details);
    const answer = await this.#serve({ world: this.#world, connection, peer, asked, bytes, record });
    if (answer !== null) await this.#answer(answer, asked, peer);
  }

  /** A listener that fails must not end the reading of all others; what it was given is kept in any case. */
  async #serve(datagram: Datagram): Promise<Buffer | null> {
    const { bytes, asked, record } = datagram;
    const listener = this.#listeners.find((each) => each.recognises(bytes, asked.port));
    try {
      return (await listener?.serve(datagram)) ?? null;
    } catch (error) {
      const kept = keepBytes(bytes, this.#world.config.caps.keptBytes);
      await record('raw-bytes', { fields: { direction: 'from-box', problem: describeError(error) }, bytes: kept });
      return null;
    }
  }

  async #answer(bytes: Buffer, from: Endpoint, to: Endpoint): Promise<void> {
    try {
      const socket = await this.#socketFor(from);
      socket.send(bytes, to.port, to.address);
    } catch {
      // An address that cannot be spoken from (a broadcast one) gets no answer; the question is recorded.
    }
  }

  #socketFor(from: Endpoint): Promise<Socket> {
    const key = `${from.address} ${from.port}`;
    const known = this.#answerSockets.get(key);
    if (known !== undefined) return known;
    const made = this.#openSocket(from);
    const [oldest] = this.#answerSockets;
    if (this.#answerSockets.size >= mostAnswerSockets && oldest !== undefined) {
      this.#answerSockets.delete(oldest[0]);
      oldest[1].then((socket) => socket.close()).catch(() => undefined);
    }
    this.#answerSockets.set(key, made);
    return made;
  }

  async #openSocket({ address, port }: Endpoint): Promise<Socket> {
    const socket = createSocket({ type: address.includes(':') ? 'udp6' : 'udp4', reuseAddr: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address, port }, resolve);
    });
    socket.on('error', () => {
      // The peer has closed its port: nobody waits for this answer.
    });
    return socket;
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of this.#answerSockets.values()) socket.then((each) => each.close()).catch(() => undefined);
  }
}
