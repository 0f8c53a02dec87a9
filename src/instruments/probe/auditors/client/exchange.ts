import { type ClientRequest, type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { AuditAnswer } from '../contract.ts';
import { decodeBody } from './decode-body.ts';
import { AuditFailure, failureOf } from './failure.ts';
import { clientLimits } from './limits.ts';

/** One request and its answer on the wire, ended by its time limit at the latest. */

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | null;
  /** Where the connection goes; the name in the URL is never looked up. */
  readonly address: string;
  readonly port: number;
  readonly servername: string;
  readonly timeoutMs: number;
}

interface Whole {
  readonly response: IncomingMessage;
  readonly body: { readonly bytes: Buffer; readonly isCut: boolean };
}

function pairsOf({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < rawHeaders.length && pairs.length < clientLimits.headers; at += 2) {
    pairs.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}

function encodingsOf(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

function open({ url, method, headers, address, port, servername }: Exchange, agents: Agents): ClientRequest {
  const isSecure = url.protocol === 'https:';
  const asked = (isSecure ? requestHttps : requestHttp)({
    host: address,
    port,
    method,
    path: `${url.pathname}${url.search}`,
    agent: isSecure ? agents.https : agents.http,
    headers: headers.flat(),
    setHost: false,
    maxHeaderSize: clientLimits.headerBytes,
    ...(isSecure ? { servername } : {}),
  });
  asked.maxHeadersCount = clientLimits.headers;
  return asked;
}

/** Resolves as soon as there is a head: what is missing of the body by the end of the time is cut. */
function receive(exchange: Exchange, asked: ClientRequest, at: string): Promise<Whole> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    let head: IncomingMessage | null = null;
    let isOver = false;
    // Once: a connection that has been given back is somebody else's.
    const end = (isCut: boolean): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (head !== null) resolve({ response: head, body: { bytes: Buffer.concat(parts), isCut } });
      if (isCut) asked.destroy();
    };
    const timer = setTimeout(() => {
      if (head === null) reject(new AuditFailure('timeout', `no answer within ${exchange.timeoutMs} ms: ${at}`));
      end(true);
    }, exchange.timeoutMs);
    asked.on('error', (error) => {
      if (head === null) reject(failureOf(error, at));
      end(true);
    });
    // A server that changes the protocol has answered; what follows is no business of ours.
    asked.once('upgrade', (response, socket) => {
      head = response;
      end(false);
      socket.destroy();
    });
    asked.once('response', (response) => {
      head = response;
      response.on('data', (part: Buffer) => {
        const left = clientLimits.bodyBytes - length;
        parts.push(part.subarray(0, left));
        length += Math.min(left, part.length);
        if (part.length > left) end(true);
      });
      response.once('end', () => end(!response.complete));
      response.on('error', () => end(true));
      response.once('close', () => end(true));
    });
    if (exchange.body === null) asked.end();
    else asked.end(exchange.body);
  });
}

export async function sendExchange(exchange: Exchange, agents: Agents, isSecondTry = false): Promise<AuditAnswer> {
  const at = `${exchange.method.slice(0, 32)} ${exchange.url.href.slice(0, 200)}`;
  const started = performance.now();
  let asked: ClientRequest;
  try {
    asked = open(exchange, agents);
  } catch (error) {
    throw failureOf(error, at);
  }
  try {
    const { response, body } = await receive(exchange, asked, at);
    const elapsedMs = Math.round(performance.now() - started);
    const headers = pairsOf(response);
    const { bytes, isCut } = await decodeBody(body, encodingsOf(headers));
    return {
      status: response.statusCode ?? 0,
      httpVersion: response.httpVersion,
      headers,
      body: bytes,
      isCut,
      elapsedMs,
    };
  } catch (error) {
    // A connection that was kept may have been closed just now; that says nothing about this request.
    const isStale = error instanceof AuditFailure && error.kind === 'closed' && asked.reusedSocket;
    if (isStale && !isSecondTry) return sendExchange(exchange, agents, true);
    throw error;
  }
}
