import { type Datagram, tcpFlags } from './network.ts';

/** Who talks with whom, and what TCP said, put together again. */

interface Segment {
  readonly offset: number;
  readonly data: Uint8Array;
}

export interface Side {
  base?: number;
  packets: number;
  bytes: number;
  kept: number;
  readonly segments: Segment[];
}

export interface Conversation {
  readonly protocol: string;
  /** Who sent the first packet, unless the second half of a handshake shows that it was the other. */
  readonly client: string;
  readonly clientPort: number;
  readonly server: string;
  readonly serverPort: number;
  readonly start: number;
  end: number;
  readonly fromClient: Side;
  readonly fromServer: Side;
}

const limits = { conversations: 20_000, sideBytes: 16 * 1024 * 1024, allBytes: 128 * 1024 * 1024, segments: 200_000 };

export interface Conversations {
  readonly list: readonly Conversation[];
  readonly dropped: number;
  add(datagram: Datagram): void;
}

const makeSide = (): Side => ({ packets: 0, bytes: 0, kept: 0, segments: [] });

export function makeConversations(): Conversations {
  const open = new Map<string, Conversation>();
  const list: Conversation[] = [];
  let kept = 0;
  let dropped = 0;
  const keep = (side: Side, { sequence, flags, payload }: Datagram): void => {
    const starts = (flags & tcpFlags.syn) !== 0;
    if (side.base === undefined || (starts && side.segments.length === 0))
      side.base = (sequence + (starts ? 1 : 0)) >>> 0;
    if (payload.length === 0) return;
    const offset = (sequence + (starts ? 1 : 0) - side.base) >>> 0;
    if (
      offset > limits.sideBytes ||
      side.kept > limits.sideBytes ||
      kept > limits.allBytes ||
      side.segments.length > limits.segments
    ) {
      dropped += 1;
      return;
    }
    side.segments.push({ offset, data: payload });
    side.kept += payload.length;
    kept += payload.length;
  };
  return {
    list,
    get dropped() {
      return dropped;
    },
    add(datagram) {
      const { protocol, source, target, sourcePort, targetPort, time, flags } = datagram;
      const there = `${protocol} ${source} ${sourcePort} ${target} ${targetPort}`;
      const back = `${protocol} ${target} ${targetPort} ${source} ${sourcePort}`;
      const fresh = protocol === 'tcp' && (flags & (tcpFlags.syn | tcpFlags.ack)) === tcpFlags.syn;
      let known = open.get(there) ?? open.get(back);
      // The same ports used again after an end are another conversation.
      if (known !== undefined && fresh && known.fromClient.segments.length > 0) known = undefined;
      if (known === undefined) {
        if (list.length >= limits.conversations) {
          dropped += 1;
          return;
        }
        const answers = protocol === 'tcp' && (flags & (tcpFlags.syn | tcpFlags.ack)) === (tcpFlags.syn | tcpFlags.ack);
        known = {
          protocol,
          client: answers ? target : source,
          clientPort: answers ? targetPort : sourcePort,
          server: answers ? source : target,
          serverPort: answers ? sourcePort : targetPort,
          start: time,
          end: time,
          fromClient: makeSide(),
          fromServer: makeSide(),
        };
        open.delete(back);
        open.set(there, known);
        list.push(known);
      }
      const side = known.client === source && known.clientPort === sourcePort ? known.fromClient : known.fromServer;
      side.packets += 1;
      side.bytes += datagram.length;
      known.end = Math.max(known.end, time);
      if (protocol === 'tcp') keep(side, datagram);
    },
  };
}

/** The bytes of one side in order, up to the first hole. */
export function assemble(side: Side): { readonly bytes: Uint8Array; readonly holes: boolean } {
  const segments = [...side.segments].sort((left, right) => left.offset - right.offset);
  const parts: Uint8Array[] = [];
  let length = 0;
  let holes = false;
  for (const { offset, data } of segments) {
    if (offset > length) {
      holes = true;
      break;
    }
    if (offset + data.length <= length) continue;
    const part = data.subarray(length - offset);
    parts.push(part);
    length += part.length;
  }
  return { bytes: Buffer.concat(parts), holes };
}
