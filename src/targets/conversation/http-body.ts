import { Accumulator } from './accumulator.ts';
import type { HttpResponse } from './http-request.ts';
import { SseReader } from './sse-reader.ts';
import type { CutFrame } from './wire.ts';

/** The frames in the body of one answer over HTTP: a document, or a stream of events. */

export interface BodySink {
  frame(bytes: Buffer): void;
  cut(frame: CutFrame): void;
  /** An event that carries no message. */
  event?(name: string, data: Buffer): void;
  /** False when no more is wanted. */
  takes(bytes: number): boolean;
}

export function isEventStream({ headers }: HttpResponse): boolean {
  return /^text\/event-stream\b/i.test((headers['content-type'] ?? '').trim());
}

const headKept = 64 * 1024;

/** Resolves at the end of the body; rejects when it breaks off. */
export async function readBody(response: HttpResponse, sink: BodySink, frameBytes: number): Promise<void> {
  if (isEventStream(response)) await readEvents(response, sink, frameBytes);
  else await readDocument(response, sink, frameBytes);
}

async function readEvents({ body }: HttpResponse, sink: BodySink, frameBytes: number): Promise<void> {
  const reader = new SseReader(
    {
      event: (name, data) => (name === 'message' ? sink.frame(data) : sink.event?.(name, data)),
      cut: (frame) => sink.cut(frame),
    },
    frameBytes,
  );
  try {
    for await (const chunk of body) {
      reader.push(Buffer.from(chunk));
      if (!sink.takes(chunk.length)) return;
    }
  } finally {
    reader.end();
  }
}

async function readDocument({ body }: HttpResponse, sink: BodySink, frameBytes: number): Promise<void> {
  const document = new Accumulator(frameBytes);
  for await (const chunk of body) {
    document.add(Buffer.from(chunk));
    // Here nothing follows that would be worth the reading.
    if (document.isCut || !sink.takes(chunk.length)) break;
  }
  if (document.isCut) sink.cut(document.takeCut(headKept));
  else if (document.bytes > 0) sink.frame(document.take());
}
