import type { FrontGate } from './contract.ts';
import { type SseBlock, SseBlockReader } from './sse-blocks.ts';
import { escapeOddBreaks, readEvent, type SseEvent, writeEvent } from './sse-event.ts';

/** Leads every message in a stream of events past the gate. Blocks that nobody objects to go on byte for byte. */

export interface EventSink {
  /** Resolves when there is room for more; false when nobody reads any more. */
  write(bytes: Buffer): Promise<boolean>;
  /** An error for the server, for a request of its own that was refused. */
  reply(bytes: Buffer): void;
  /** The older form: where messages are to be posted. What is to be told the client, or null when it leads elsewhere. */
  endpoint(address: string): string | null;
}

/** `event: ping`, with a time behind it. */
const signOfLife = /^[\w .:+-]{0,40}$/;

function looksLikeMessage(data: Buffer): boolean {
  return /^\s*[{[]/.test(data.toString('latin1', 0, 64));
}

/** As a gate takes it; the same buffer comes back when nothing was changed. */
async function judge(gate: FrontGate, data: Buffer, sink: EventSink): Promise<Buffer | null> {
  const { forward, reply } = await gate.take('to-client', { is: 'line', whole: data, content: data });
  if (reply !== null) sink.reply(reply);
  return forward;
}

async function relayEvent(event: SseEvent, raw: Buffer, gate: FrontGate, sink: EventSink): Promise<Buffer | null> {
  const { data, name, isOrdinary } = event;
  if (data === null || data.length === 0) return isOrdinary ? raw : writeEvent(event, data === null ? null : '');
  if (name === 'endpoint') {
    const address = sink.endpoint(data.toString('utf8').trim());
    if (address === null) return null;
    return isOrdinary && address === data.toString('utf8') ? raw : writeEvent(event, address);
  }
  if (name !== 'message' && !looksLikeMessage(data)) {
    // No event of the protocol. A sign of life passes; of anything longer only how far the stream has come.
    return isOrdinary && signOfLife.test(data.toString('latin1')) ? raw : writeEvent(event, null);
  }
  const forward = await judge(gate, data, sink);
  if (forward === null) return writeEvent(event, null);
  if (forward === data && isOrdinary) return raw;
  return writeEvent(event, escapeOddBreaks(forward.toString('utf8').replace(/\n$/, '')));
}

/** It is not read any further, but whoever waits for this answer is told. */
async function relayTooLong(block: Extract<SseBlock, { is: 'too-long' }>, gate: FrontGate): Promise<Buffer | null> {
  const start = block.head.indexOf('data:');
  const head = start === -1 ? block.head : block.head.subarray(start + 5);
  const { forward } = await gate.take('to-client', { ...block, head });
  return forward === null ? null : Buffer.from(`data: ${forward.toString('utf8').trimEnd()}\n\n`);
}

/** Resolves at the end of the stream, or when nobody reads it any more. Rejects when it breaks off. */
export async function relayEvents(
  body: AsyncIterable<Uint8Array>,
  gate: FrontGate,
  sink: EventSink,
  mostBytes: number,
): Promise<void> {
  const reader = new SseBlockReader(mostBytes);
  let isFirst = true;
  const relayAll = async (blocks: Iterable<SseBlock>): Promise<boolean> => {
    // What is ready together is written together.
    const ready: Buffer[] = [];
    for (const block of blocks) {
      const bytes =
        block.is === 'too-long'
          ? await relayTooLong(block, gate)
          : await relayEvent(readEvent(block.raw, isFirst), block.raw, gate, sink);
      isFirst = false;
      if (bytes !== null) ready.push(bytes);
    }
    return ready.length === 0 || (await sink.write(Buffer.concat(ready)));
  };
  for await (const chunk of body) {
    if (!(await relayAll(reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))))) return;
  }
  await relayAll(reader.end());
}
