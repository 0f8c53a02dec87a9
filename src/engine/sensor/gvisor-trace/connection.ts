import type { Sighting } from '../contract.ts';
import type { Clock } from './clock.ts';
import { handshake, readHandshake, readHeader } from './messages.ts';
import { closeSocket, receiveOne, sendOne } from './packet-socket.ts';
import { Translator } from './translator.ts';

/** One sandbox that reports to us. */

const mostPerTurn = 2048;

export class Connection {
  readonly fd: number;
  readonly #translator: Translator;
  /** The highest counter of a header: what gVisor could not send. */
  #dropped = 0;
  #broken = 0;
  received = 0;
  hasShakenHands = false;

  constructor(fd: number, clock: Clock, emit: (sighting: Sighting) => void, sandbox: number) {
    this.fd = fd;
    this.#translator = new Translator(clock, emit, { sandbox });
  }

  get heartbeats(): number {
    return this.#translator.heartbeats;
  }

  get isFromStart(): boolean {
    return this.#translator.isFromStart;
  }

  /** Events that are lost: not sent, or not readable. */
  get lost(): number {
    return this.#dropped + this.#broken;
  }

  /** Takes what is there, up to a limit, and calls back after each. False when the sandbox is gone. */
  serve(buffer: Buffer, afterEach: () => void): boolean {
    for (let count = 0; count < mostPerTurn; count += 1) {
      const length = receiveOne(this.fd, buffer);
      if (length === 'later') return true;
      if (length === 'end') return false;
      if (!this.hasShakenHands) {
        if (!this.#shakeHands(buffer.subarray(0, length))) return false;
        continue;
      }
      this.received += 1;
      if (length > buffer.length) this.#broken += 1;
      else this.#take(buffer.subarray(0, length));
      afterEach();
    }
    return true;
  }

  rest(): void {
    this.#translator.rest();
  }

  end(): void {
    this.#translator.end();
    closeSocket(this.fd);
  }

  #shakeHands(packet: Buffer): boolean {
    this.hasShakenHands = (readHandshake(packet)?.version ?? 0) >= 1 && sendOne(this.fd, handshake);
    return this.hasShakenHands;
  }

  #take(packet: Buffer): void {
    const header = readHeader(packet);
    if (header === null) {
      this.#broken += 1;
      return;
    }
    this.#dropped = Math.max(this.#dropped, header.dropped);
    if (!this.#translator.take(header.type, packet.subarray(header.sizeBytes))) this.#broken += 1;
  }
}
