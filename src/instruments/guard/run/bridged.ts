import { exitCodes, HostError } from '../../../base/errors.ts';
import type { HttpBridge } from '../http/bridge.ts';
import type { ServerPlace } from './place.ts';

/** A server that speaks HTTP in its box, for a client that speaks over stdio. */

export interface BridgeWishes {
  /** That the server listens on in its box. */
  readonly port: number;
  readonly ended: Promise<unknown>;
  readonly signal: AbortSignal | undefined;
  readonly tell: (line: string) => void;
}

/** The way into a box is its network. */
export function enterable(network: string | null): string {
  if (network !== null) return network;
  throw new HostError('a server that speaks HTTP needs a network of its own to be reached through', {
    exitCode: exitCodes.noIsolation,
    hint: 'it takes root, and --backend gvisor, runc or bwrap',
  });
}

export async function openBridge(
  place: Pick<ServerPlace, 'network'>,
  { port, ended, signal, tell }: BridgeWishes,
): Promise<HttpBridge> {
  const network = enterable(place.network);
  const { openHttpBridge, openInnerServer } = await import('../http/index.ts');
  const inner = await openInnerServer({ network, port, ended, ...(signal === undefined ? {} : { signal }) });
  const bridge = openHttpBridge({ ...inner, tell });
  const close = async (): Promise<void> => {
    await bridge.close();
    await inner.close();
  };
  return { input: bridge.input, output: bridge.output, close, [Symbol.asyncDispose]: close };
}
