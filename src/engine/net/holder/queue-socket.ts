import { promisify } from 'node:util';
import koffi from 'koffi';
import { HostError } from '../../../base/errors.ts';
import { bindMessages, type QueueSettings, readReports } from './queue-messages.ts';

/** The holder process's socket to the kernel's packet queue. Only `wait` takes time, and it does so on another thread. */

const library = koffi.load(null);
const makeSocket = library.func('int socket(int family, int type, int protocol)');
const setOption = library.func('int setsockopt(int fd, int level, int name, void *value, uint32_t length)');
const bindTo = library.func('int bind(int fd, void *address, uint32_t length)');
const sendTo = library.func('long send(int fd, void *buffer, size_t length, int flags)');
const receiveFrom = library.func('long recv(int fd, void *buffer, size_t length, int flags)');
const pollAll = library.func('int poll(void *entries, unsigned long count, int timeout)');

const waitForEntries = promisify(pollAll.async) as (
  entries: Buffer,
  count: number,
  timeoutMs: number,
) => Promise<number>;

const netlink = 16;
const raw = 3;
const closeOnExec = 0o2000000;
const netfilter = 12;
const socketLevel = 1;
const receiveBufferForce = 33;
const readable = 1;
const doNotWait = 0x40;
const errnos = { interrupted: 4, again: 11, noBuffers: 105 } as const;
const bufferBytes = 64 * 1024;
const receiveBufferBytes = 16 * 1024 * 1024;
const mostAnswers = 64;

function fail(operation: string, errno: number): never {
  throw new HostError(`cannot ${operation}: errno ${errno}`);
}

export class QueueSocket {
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(bufferBytes);
  readonly #entry = Buffer.alloc(8);
  /** How often the kernel had no room to tell of a packet; it dropped that packet. */
  lost = 0;

  constructor(settings: QueueSettings) {
    const fd: number = makeSocket(netlink, raw | closeOnExec, netfilter);
    if (fd < 0) fail('open a netlink socket', koffi.errno());
    this.#fd = fd;
    const size = Buffer.alloc(4);
    size.writeInt32LE(receiveBufferBytes);
    if (setOption(fd, socketLevel, receiveBufferForce, size, size.length) !== 0) {
      fail('set the receive buffer of a netlink socket', koffi.errno());
    }
    const address = Buffer.alloc(12);
    address.writeUInt16LE(netlink);
    if (bindTo(fd, address, address.length) !== 0) fail('bind a netlink socket', koffi.errno());
    this.#entry.writeInt32LE(fd, 0);
    this.#entry.writeInt16LE(readable, 4);
    for (const [at, order] of bindMessages(settings).entries()) {
      this.send(order);
      const errno = this.#answerTo(at + 1);
      if (errno !== 0) fail('take over the packet queue', errno);
    }
  }

  /** The kernel answers an order before `send` returns. Nothing is queued before the first one has been carried out. */
  #answerTo(sequence: number): number {
    for (let count = 0; count < mostAnswers; count += 1) {
      const bytes = this.receive();
      if (bytes === null) break;
      for (const report of readReports(bytes)) {
        if (report.is === 'answer' && report.sequence === sequence) return report.errno;
      }
    }
    return errnos.again;
  }

  send(message: Buffer): boolean {
    return Number(sendTo(this.#fd, message, message.length, 0)) === message.length;
  }

  /** Resolves when there is something to receive, or when the time is over. */
  async wait(timeoutMs: number): Promise<void> {
    await waitForEntries(this.#entry, 1, timeoutMs);
  }

  /** A copy of what waits; null when nothing does. */
  receive(): Buffer | null {
    for (;;) {
      const length = Number(receiveFrom(this.#fd, this.#buffer, this.#buffer.length, doNotWait));
      if (length >= 0) return Buffer.from(this.#buffer.subarray(0, length));
      const errno: number = koffi.errno();
      if (errno === errnos.again) return null;
      if (errno === errnos.noBuffers) this.lost += 1;
      else if (errno !== errnos.interrupted) fail('read the packet queue', errno);
    }
  }
}
