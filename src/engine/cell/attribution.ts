import type { EventProcess } from '../../base/event-schema.ts';
import type { Sighting } from '../sensor/contract.ts';

/**
 * Whose traffic it is. The wire knows addresses, sensors on system calls know processes; a connection belongs to the
 * oldest call to the same address and port that has not been given one yet, and further traffic of it stays with it.
 * Datagrams belong to the last process that spoke to that address, and a file on the disk to the last that opened it for
 * writing.
 */

const mostWaiting = 4096;
const mostConnections = 16_384;

const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An IPv4 address in the clothes of IPv6 is the same address. */
function plainAddress(address: string): string {
  const [, high, low] = mapped.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const value = Number.parseInt(high, 16) * 0x1_0000 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

function keyOf(address: unknown, port: unknown): string {
  return `${plainAddress(String(address))} ${String(port)}`;
}

export interface WirePlace {
  readonly connection: number;
  readonly transport: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
}

export class Attribution {
  readonly #waiting = new Map<string, EventProcess[]>();
  readonly #last = new Map<string, EventProcess>();
  readonly #connections = new Map<number, EventProcess>();
  readonly #writers = new Map<string, EventProcess>();
  #waitingCount = 0;

  /** Learns from what the sensors on system calls see. */
  learn({ kind, fields, process }: Sighting): void {
    if (process === undefined) return;
    if (kind === 'open' && fields.access !== 'read') this.#learnWriter(JSON.stringify(fields.path), process);
    if (kind === 'rename') this.#learnWriter(JSON.stringify(fields.to), process);
    if (kind !== 'connect' && kind !== 'send-to') return;
    if (fields.family !== 'ipv4' && fields.family !== 'ipv6') return;
    const key = keyOf(fields.address, fields.port);
    this.#last.delete(key);
    this.#last.set(key, process);
    forgetOldest(this.#last, mostConnections);
    if (kind !== 'connect' || this.#waitingCount >= mostWaiting) return;
    const queue = this.#waiting.get(key) ?? [];
    queue.push(process);
    this.#waiting.set(key, queue);
    this.#waitingCount += 1;
  }

  processOf({ connection, transport, address, port }: WirePlace): EventProcess | undefined {
    const known = this.#connections.get(connection);
    if (known !== undefined) return known;
    const key = keyOf(address, port);
    const found = (transport === 'tcp' ? this.#take(key) : undefined) ?? this.#last.get(key);
    if (found !== undefined) {
      this.#connections.set(connection, found);
      forgetOldest(this.#connections, mostConnections);
    }
    return found;
  }

  #learnWriter(path: string | undefined, process: EventProcess): void {
    if (path === undefined) return;
    this.#writers.delete(path);
    this.#writers.set(path, process);
    forgetOldest(this.#writers, mostConnections);
  }

  /** By the field that names the file in events. */
  writerOf(path: unknown): EventProcess | undefined {
    return this.#writers.get(JSON.stringify(path) ?? '');
  }

  #take(key: string): EventProcess | undefined {
    const queue = this.#waiting.get(key);
    const first = queue?.shift();
    if (first !== undefined) this.#waitingCount -= 1;
    if (queue?.length === 0) this.#waiting.delete(key);
    return first;
  }
}

function forgetOldest<K, V>(map: Map<K, V>, most: number): void {
  if (map.size <= most) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
