import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, TargetError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { discoverEndpoint, type Endpoint } from '../../../targets/conversation/discover-endpoint.ts';
import type { RequestFunction } from '../../../targets/conversation/http-request.ts';
import { openRelay, type Relay } from '../../../targets/conversation/relay.ts';

/** The way to a port inside a box. */

export interface InnerOptions {
  /** The file that stands for the network of the box. */
  readonly network: string;
  readonly port: number;
  readonly mostConnections?: number;
}

const usualConnections = 96;

export function openInner({ network, port, mostConnections = usualConnections }: InnerOptions): Relay {
  return openRelay({ network, port, mostConnections });
}

export interface WaitOptions {
  readonly request: RequestFunction;
  readonly port: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Resolves or rejects when the server has ended: then nobody will ever listen. */
  readonly ended?: Promise<unknown>;
}

const usualWaitMs = 30 * secondMs;
const pauseMs = 100;
const oneTryMs = 5 * secondMs;

/** Whatever it answers, somebody listens. */
async function isAnswered(request: RequestFunction): Promise<string | null> {
  const stop = AbortSignal.timeout(oneTryMs);
  try {
    // A method that no server of this protocol acts on.
    const { body } = await request({ method: 'OPTIONS', path: '/', headers: {}, body: '', signal: stop });
    await body[Symbol.asyncIterator]().return?.();
    return null;
  } catch (error) {
    return describeError(error);
  }
}

/** @throws TargetError when nobody listens in time, or the server has ended before. */
export async function waitUntilListening(options: WaitOptions): Promise<void> {
  const { request, port, timeoutMs = usualWaitMs, signal, ended } = options;
  const deadline = performance.now() + timeoutMs;
  let hasEnded = false;
  const end = ended?.then(
    () => undefined,
    () => undefined,
  );
  void end?.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const problem = await isAnswered(request);
    if (problem === null) return;
    if (hasEnded) {
      throw new TargetError(`the server ended before anybody listened on port ${port}`, {
        hint: 'what it wrote to its error output says why',
      });
    }
    if (signal?.aborted === true) throw new TargetError(`nobody waits for port ${port} any more`);
    if (performance.now() >= deadline) {
      throw new TargetError(
        `nobody listens on port ${port} of the box after ${Math.round(timeoutMs / secondMs)} s: ${forTerminal(untrusted(problem, 200))}`,
        { hint: 'the number after --inner-port has to be the port that the server listens on' },
      );
    }
    await Promise.race([sleep(pauseMs), ...(end === undefined ? [] : [end])]);
  }
}

export interface InnerServerOptions extends InnerOptions {
  /** Where on that port it answers. Without it the usual paths are tried. */
  readonly path?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly ended?: Promise<unknown>;
}

/** A server that listens in a box, found and ready: what a front and a bridge are given. */
export interface InnerServer extends AsyncDisposable, Pick<Endpoint, 'path' | 'form'> {
  readonly request: RequestFunction;
  close(): Promise<void>;
}

const identity = { name: 'hotcell', version: '1' };

/** @throws TargetError when nobody listens there in time, or whoever does speaks another protocol. */
export async function openInnerServer(options: InnerServerOptions): Promise<InnerServer> {
  const { port, path, timeoutMs = usualWaitMs } = options;
  const relay = openInner(options);
  try {
    const { request, url } = relay;
    await waitUntilListening({ ...options, request });
    const paths = path === undefined ? {} : { paths: [path] };
    const found = await discoverEndpoint({ identity, url, request, timeoutMs, ...paths });
    if (found === null) {
      throw new TargetError(
        `whoever listens on port ${port} of the box does not speak MCP${path === undefined ? '' : ` at ${path}`}`,
        {
          hint: 'the path that the server answers at may be another one',
        },
      );
    }
    return { request, path: found.path, form: found.form, close: relay.close, [Symbol.asyncDispose]: relay.close };
  } catch (error) {
    await relay.close();
    throw error;
  }
}
