import { setTimeout as wait } from 'node:timers/promises';
import { asObject } from '../../base/json-shape.ts';
import { clientCapabilities } from './client-side.ts';
import type { ClientIdentity } from './contract.ts';
import { defaultVersion } from './era.ts';
import { readBody } from './http-body.ts';
import type { HttpResponse, RequestFunction } from './http-request.ts';
import { defaultLimits } from './limits.ts';
import { parseFrame } from './parse-frame.ts';
import { SseChannel } from './sse-channel.ts';

/** Where on a port an MCP server answers, when nobody said. */

export interface Endpoint {
  readonly path: string;
  readonly form: 'streamable' | 'sse';
  /** It wants to know who asks before it says more. */
  readonly needsAuthorisation: boolean;
}

export interface DiscoverOptions {
  readonly identity: ClientIdentity;
  readonly url: URL;
  readonly request: RequestFunction;
  readonly paths?: readonly string[];
  /** For all together; servers take their time to begin listening. */
  readonly timeoutMs?: number;
}

export const usualPaths = [
  '/mcp',
  '/',
  '/sse',
  '/mcp/',
  '/messages',
  '/message',
  '/api/mcp',
  '/v1/mcp',
  '/rpc',
] as const;
const pauseMs = 200;
const perRequestMs = 5000;
const frameBytes = 1024 * 1024;

type Look = { readonly is: 'endpoint'; readonly endpoint: Endpoint } | { readonly is: 'other' | 'unreachable' };

async function speaksProtocol(response: HttpResponse): Promise<boolean> {
  const frames: Buffer[] = [];
  let left = frameBytes;
  const takes = (bytes: number): boolean => {
    left -= bytes;
    // A stream of events stays open: its first message is enough.
    return frames.length === 0 && left > 0;
  };
  const sink = { frame: (bytes: Buffer) => void frames.push(bytes), cut: () => undefined, takes };
  await readBody(response, sink, frameBytes).catch(() => undefined);
  return frames.some((frame) => parseFrame(frame, 1).values.some((value) => asObject(value).jsonrpc === '2.0'));
}

async function lookAt(path: string, { identity, url, request }: DiscoverOptions): Promise<Look> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), perRequestMs);
  const { name, version } = identity;
  const params = { protocolVersion: defaultVersion, capabilities: clientCapabilities, clientInfo: { name, version } };
  try {
    const response = await request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      signal: stop.signal,
    });
    const isDenied = response.status === 401 || response.status === 403;
    const isSpeaker = await speaksProtocol(response);
    const session = response.headers['mcp-session-id'];
    if (session !== undefined) await leave(path, session, request);
    if (isDenied || isSpeaker)
      return { is: 'endpoint', endpoint: { path, form: 'streamable', needsAuthorisation: isDenied } };
  } catch {
    return { is: 'unreachable' };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  const ignore = { frame: () => undefined, cut: () => undefined, takes: () => true, ended: () => undefined };
  const at = { url: new URL(path, url), request };
  const channel = await SseChannel.open(at, { ...defaultLimits, frameBytes }, { ...ignore, refused: () => undefined });
  channel?.close();
  return channel === null
    ? { is: 'other' }
    : { is: 'endpoint', endpoint: { path, form: 'sse', needsAuthorisation: false } };
}

async function leave(path: string, session: string, request: RequestFunction): Promise<void> {
  const signal = AbortSignal.timeout(defaultLimits.closeMs);
  const headers = { 'mcp-session-id': session };
  await request({ method: 'DELETE', path, headers, body: '', signal }).catch(() => undefined);
}

/** Null when there is none, or nobody listens in time. A path that wants authorisation is taken only if no other answers. */
export async function discoverEndpoint(options: DiscoverOptions): Promise<Endpoint | null> {
  const { paths = usualPaths, timeoutMs = 10_000 } = options;
  const until = performance.now() + timeoutMs;
  let denied: Endpoint | null = null;
  for (let at = 0; at < paths.length && performance.now() < until; ) {
    const look = await lookAt(paths[at] ?? '/', options);
    if (look.is === 'endpoint' && !look.endpoint.needsAuthorisation) return look.endpoint;
    if (look.is === 'endpoint') denied ??= look.endpoint;
    if (look.is === 'unreachable') await wait(pauseMs);
    else at += 1;
  }
  return denied;
}
