import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { AuditAnswer, AuditClient, AuditInput, AuditRequest } from '../contract.ts';
import { coveredUrl, portOf } from './coverage.ts';
import { type Agents, sendExchange } from './exchange.ts';
import { AuditFailure } from './failure.ts';
import { clientLimits } from './limits.ts';
import { PacedQueue } from './paced-queue.ts';

const methodPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const agentName = 'hotcell-probe';

/** Servers with old or broken TLS are spoken to as well: to look at them is the task, and what is wrong is reported. */
export const lenientTls = {
  rejectUnauthorized: false,
  minVersion: 'TLSv1',
  ciphers: 'DEFAULT@SECLEVEL=0',
} as const;

/** Later names replace earlier ones, whatever their case. */
function mergeHeaders(...given: readonly Readonly<Record<string, string>>[]): readonly (readonly [string, string])[] {
  const merged = new Map<string, readonly [string, string]>();
  for (const headers of given) {
    for (const [name, value] of Object.entries(headers)) merged.set(name.toLowerCase(), [name, value]);
  }
  return [...merged.values()];
}

function bytesOf(body: string | Uint8Array | undefined): Uint8Array | null {
  if (body === undefined) return null;
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  if (bytes.length > clientLimits.sentBytes)
    throw new AuditFailure('not-allowed', 'the body of the request is too long');
  return bytes;
}

/** The way of an auditor to its target: pinned address, limits of the scope, pace, and a cap on everything. */
export class PinnedClient implements AuditClient {
  readonly #input: AuditInput;
  readonly #queue: PacedQueue;
  readonly #agents: Agents;
  readonly #mostRequests: number;
  #sent = 0;

  constructor(input: AuditInput, mostRequests: number = clientLimits.requests) {
    this.#input = input;
    this.#mostRequests = mostRequests;
    this.#queue = new PacedQueue(input.pace);
    const kept = { keepAlive: true, maxSockets: Math.max(1, Math.floor(input.pace.connections)), maxFreeSockets: 4 };
    this.#agents = { http: new HttpAgent(kept), https: new HttpsAgent({ ...kept, ...lenientTls }) };
  }

  get sent(): number {
    return this.#sent;
  }

  async send(request: AuditRequest): Promise<AuditAnswer> {
    const method = request.method ?? 'GET';
    if (!methodPattern.test(method)) throw new AuditFailure('not-allowed', 'not the name of a method');
    const url = coveredUrl(request.url, method, this.#input);
    const [address] = this.#input.addresses;
    if (address === undefined) throw new AuditFailure('no-connection', 'there is no address to connect to');
    const body = bytesOf(request.body);
    const { credential } = this.#input;
    const isAuthenticated = credential !== null && request.isAuthenticated !== false;
    const headers = mergeHeaders(
      { host: url.host, 'user-agent': agentName, accept: '*/*' },
      body === null ? {} : { 'content-length': String(body.length) },
      isAuthenticated ? { [credential.header]: credential.value } : {},
      request.headers ?? {},
    );
    if (this.#sent >= this.#mostRequests) {
      throw new AuditFailure('too-many', `${this.#sent} requests were sent, which is all that one audit may send`);
    }
    this.#sent += 1;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const timeoutMs = Math.min(clientLimits.longestRequestMs, Math.max(1, request.timeoutMs ?? clientLimits.requestMs));
    return this.#queue.run(() =>
      sendExchange(
        { url, method, headers, body, address, port: portOf(url), servername: isIP(host) === 0 ? host : '', timeoutMs },
        this.#agents,
      ),
    );
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}
