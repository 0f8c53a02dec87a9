import { openHttpFront, openInner, waitUntilListening } from '../../../instruments/guard/http/index.ts';
import { enterable } from '../../../instruments/guard/run/bridged.ts';
import type { GuardedEnd } from '../../../instruments/guard/run/contract.ts';
import type { OpenSource } from './registered.ts';
import type { Serving } from './serving.ts';
import { startOne } from './start-one.ts';
import type { HttpWishes } from './wishes.ts';

/** One server that speaks HTTP in its box, for clients that reach it through the guard alone. */
export async function serveHttp(listen: HttpWishes, serving: Serving, source: OpenSource): Promise<GuardedEnd> {
  const { door, home, wishes, streams } = serving;
  // The way into a box is its network.
  const one = { ...source.server, needsNetwork: true };
  const session = await startOne(door, home, wishes, one, { ...streams, client: null });
  const { server } = session;
  try {
    await using inner = openInner({ network: enterable(server.network), port: listen.innerPort });
    await waitUntilListening({
      request: inner.request,
      port: listen.innerPort,
      signal: streams.signal,
      ended: session.ended,
    });
    const token = door.caller.environment.MCP_TOKEN;
    await using front = await openHttpFront({
      listen: { host: listen.host, port: listen.port, ...(token === undefined || token === '' ? {} : { token }) },
      request: inner.request,
      openGate: () => server.openGate(),
      tell: streams.tell,
    });
    streams.tell(`${server.name}: ${front.url}`);
    const watch = await source.watch(server);
    const end = await session.ended;
    await watch?.close();
    return end;
  } finally {
    await server.close();
  }
}
