import { connect, type Socket } from 'node:net';

/** A client that says exactly what a test wants, for tests. */

export interface WireAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The first answer to what was written, or status 0 when the connection ended without one. */
export async function exchange(port: number, write: (socket: Socket) => void, waitMs = 10_000): Promise<WireAnswer> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<void>();
  let text = '';
  const timer = setTimeout(resolve, waitMs);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (isWhole(text)) resolve();
  });
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  socket.on('connect', () => write(socket));
  await promise;
  clearTimeout(timer);
  socket.destroy();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head: head.toLowerCase(), body };
}

function isWhole(text: string): boolean {
  const [head, body] = text.split('\r\n\r\n');
  if (/transfer-encoding: chunked/i.test(head ?? '')) return text.endsWith('0\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head ?? '')?.[1];
  return body !== undefined && length !== undefined && body.length >= Number(length);
}

export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = { host: '127.0.0.1', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** A POST as clients send it. */
export function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return requestText('POST', '/mcp', { ...usual, ...length, ...headers }, body);
}

export function initialize(version = '2025-11-25'): string {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: version, capabilities: {}, clientInfo };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}
