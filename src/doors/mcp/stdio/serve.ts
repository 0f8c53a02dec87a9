import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ServerFactory } from '../build-server.ts';
import type { Log } from '../log.ts';
import { LineTransport } from './line-transport.ts';

export interface StdioWishes {
  readonly input: Readable;
  readonly output: Writable;
  readonly makeServer: ServerFactory;
  readonly log: Log;
  /** Aborted when the server has to end. */
  readonly signal: AbortSignal;
}

/** The one client of a pipe. */
const client = 'stdio';

/** Serves one client until it closes its end, or we have to end. */
export async function serveOverStdio({ input, output, makeServer, log, signal }: StdioWishes): Promise<void> {
  const transport = new LineTransport(input, output, {
    onRefusal: ({ code, message }) => log.info('refused', { client, code, because: message }),
  });
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(() => makeServer(client), {
    transport,
    onerror: (error) => log.debug('protocol', { client, because: error.message }),
  });
  // The entry takes the transport's own callback for itself, so its end is seen by wrapping what it has put there.
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  const stop = (): void => void handle.close().finally(resolve);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    log.info('serving', { transport: 'stdio' });
    await gone;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
