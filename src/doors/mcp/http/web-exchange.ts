import type { IncomingMessage, ServerResponse } from 'node:http';

/** Between Node's requests and those of the web, which the SDK speaks. A body is handed over apart, as it was parsed. */

export function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) headers.append(name, item);
  }
  // Nothing here decides by its own address, so the client's idea of it is not passed on.
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers, signal });
}

/** Whether a connection stays open is between Node and the client. */
const hopByHop: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding'];

function whenDrained(response: ServerResponse, stalledMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), stalledMs);
  const go = (): void => resolve(true);
  const stop = (): void => resolve(false);
  response.once('drain', go);
  response.once('close', stop);
  return promise.finally(() => {
    clearTimeout(timer);
    response.off('drain', go);
    response.off('close', stop);
  });
}

/** Writes as fast as the client reads; one that does not read for so long is let go. */
export async function sendWebResponse(answer: Response, response: ServerResponse, stalledMs: number): Promise<void> {
  const headers = [...answer.headers].filter(([name]) => !hopByHop.includes(name));
  response.writeHead(answer.status, Object.fromEntries(headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  // The first event may be long in coming; that the stream is open is told at once.
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) response.flushHeaders();
  const reader = answer.body.getReader();
  // A stream that is silent does not notice by itself that nobody is there any more.
  const cancel = (): void => void reader.cancel().catch(() => {});
  response.once('close', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value) && !(await whenDrained(response, stalledMs))) {
        response.destroy();
        break;
      }
    }
    response.end();
  } catch {
    response.destroy();
  } finally {
    response.off('close', cancel);
    cancel();
  }
}
