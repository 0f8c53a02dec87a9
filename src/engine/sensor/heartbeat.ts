/**
 * The launcher proves that a sensor is alive with two calls that nothing else makes:
 *
 *   open    "/hotcell-heartbeat-<32 hex digits>-<number>"     a file that does not exist
 *   connect 127.0.0.1, port 1 + number % 65535                on no socket at all, as the same process, next
 *
 * Any program can make them, so a heartbeat counts only with the nonce of its run; whoever counts compares it.
 */

export interface Heartbeat {
  readonly nonce: string;
  readonly number: number;
}

const pattern = /^\/hotcell-heartbeat-([0-9a-f]{32})-(0|[1-9]\d{0,9})$/;
const longestPath = 64;
/** Processes whose connect is awaited; the oldest is forgotten first. */
const mostAwaited = 1024;

export function heartbeatPath({ nonce, number }: Heartbeat): string {
  return `/hotcell-heartbeat-${nonce}-${number}`;
}

export function heartbeatPort(number: number): number {
  return 1 + (number % 65_535);
}

/** Whether a `struct sockaddr` is that of 127.0.0.1 and this port. */
function isAddressOf(address: Uint8Array, port: number): boolean {
  if (address.length < 8 || address[0] !== 2 || address[1] !== 0) return false;
  const isLoopback = address[4] === 127 && address[5] === 0 && address[6] === 0 && address[7] === 1;
  return isLoopback && (address[2] ?? 0) * 256 + (address[3] ?? 0) === port;
}

export class HeartbeatSpotter {
  readonly #awaited = new Map<number, Heartbeat>();

  spotOpen(pid: number, path: Uint8Array): Heartbeat | null {
    if (path.length > longestPath) return null;
    const match = pattern.exec(Buffer.from(path).toString('latin1'));
    if (match?.[1] === undefined) return null;
    const heartbeat = { nonce: match[1], number: Number(match[2]) };
    this.#awaited.delete(pid);
    this.#awaited.set(pid, heartbeat);
    if (this.#awaited.size > mostAwaited) {
      for (const oldest of this.#awaited.keys()) {
        this.#awaited.delete(oldest);
        break;
      }
    }
    return heartbeat;
  }

  /** Every connect of a process has to pass here: the first after a heartbeat's open is its other half, or none is. */
  spotConnect(pid: number, address: Uint8Array): Heartbeat | null {
    const heartbeat = this.#awaited.get(pid);
    if (heartbeat === undefined) return null;
    this.#awaited.delete(pid);
    return isAddressOf(address, heartbeatPort(heartbeat.number)) ? heartbeat : null;
  }
}
