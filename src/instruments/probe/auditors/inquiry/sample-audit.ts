import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Credential, JsonValue, RequestLimits } from '../../contract.ts';
import { PinnedClient } from '../client/index.ts';
import type { AuditFinding, AuditInput, AuditLine, Auditor } from '../contract.ts';

/** For tests: a server on loopback, and an auditor that is let loose on it. */

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface SampleServer {
  readonly url: string;
  /** `POST /graphql` of everything that came. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

const mostBytes = 4 * 1024 * 1024;

export async function serve(handler: Handler): Promise<SampleServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      if (body.length < mostBytes) body += part;
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => handler(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

export interface AuditOptions {
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  readonly limits?: Partial<RequestLimits>;
  readonly credential?: Credential;
}

export interface Audited {
  readonly findings: readonly AuditFinding[];
  /** Without doubles, in alphabetical order. */
  readonly rules: readonly string[];
  readonly facts: Readonly<Record<string, JsonValue>>;
  readonly notes: readonly string[];
  readonly sent: number;
}

export async function auditUrl(auditor: Auditor, url: string, options: AuditOptions = {}): Promise<Audited> {
  const { port, hostname } = new URL(url);
  const input: AuditInput = {
    arguments: { ...options.arguments },
    url,
    host: hostname,
    addresses: ['127.0.0.1'],
    ports: [{ from: Number(port), to: Number(port) }],
    limits: { urls: [], methods: [], ...options.limits },
    pace: { requestsPerSecond: 100_000, connections: 8 },
    credential: options.credential ?? null,
  };
  const lines: AuditLine[] = [];
  const client = new PinnedClient(input);
  try {
    await auditor.run({ input, client, say: (line) => void lines.push(line) });
  } finally {
    client.close();
  }
  const findings = lines.flatMap((line) => (line.type === 'finding' ? [line.finding] : []));
  return {
    findings,
    rules: [...new Set(findings.map(({ rule }) => rule))].toSorted(),
    facts: Object.fromEntries(lines.flatMap((line) => (line.type === 'fact' ? [[line.name, line.value]] : []))),
    notes: lines.flatMap((line) => (line.type === 'note' ? [line.text] : [])),
    sent: client.sent,
  };
}
