import { inflateBounded } from '../inflate.ts';

export interface HttpMessage {
  /** `GET /x HTTP/1.1` or `HTTP/1.1 200 OK`. */
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** The body ends before its length. */
  readonly cut: boolean;
}

const requestLine = /^(GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH|CONNECT|TRACE|PROPFIND) (\S{1,8000}) HTTP\/1\.[01]$/;
const limits = { head: 64 * 1024, messages: 500, body: 16 * 1024 * 1024 };

export function readRequestLine(line: string): { method: string; path: string } | undefined {
  const found = requestLine.exec(line);
  return found === null ? undefined : { method: found[1] ?? '', path: found[2] ?? '' };
}

function unchunk(bytes: Buffer, from: number): { body: Uint8Array; next: number; cut: boolean } {
  const parts: Uint8Array[] = [];
  let at = from;
  for (let chunks = 0; chunks < 100_000; chunks += 1) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0 || end - at > 100) break;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!Number.isFinite(size)) break;
    if (size === 0) return { body: Buffer.concat(parts), next: Math.min(bytes.length, end + 4), cut: false };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
    if (at > bytes.length) break;
  }
  return { body: Buffer.concat(parts), next: bytes.length, cut: true };
}

function unpack(body: Uint8Array, encoding: string): Uint8Array {
  if (body.length === 0) return body;
  if (/gzip/i.test(encoding)) return inflateBounded(body, 'gzip', limits.body).bytes;
  if (!/deflate/i.test(encoding)) return body;
  const zlib = inflateBounded(body, 'zlib', limits.body);
  return zlib.bytes.length > 0 ? zlib.bytes : inflateBounded(body, 'raw', limits.body).bytes;
}

/** All messages of one side of a connection. `bodiless` says which answers have none, such as those to HEAD. */
export function readHttp(
  data: Uint8Array,
  side: 'request' | 'response',
  bodiless: (index: number) => boolean,
  tick: () => void,
): HttpMessage[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const messages: HttpMessage[] = [];
  for (let at = 0; at < bytes.length && messages.length < limits.messages; ) {
    tick();
    const end = bytes.subarray(at, at + limits.head).indexOf('\r\n\r\n');
    if (end < 0) break;
    const [line = '', ...rows] = bytes.toString('latin1', at, at + end).split('\r\n');
    const right = side === 'request' ? requestLine.test(line) : /^HTTP\/1\.[01] \d{3}/.test(line);
    if (!right) break;
    const headers = new Map<string, string>();
    for (const row of rows.slice(0, 200)) {
      const colon = row.indexOf(':');
      if (colon > 0) headers.set(row.slice(0, colon).trim().toLowerCase(), row.slice(colon + 1).trim());
    }
    const start = at + end + 4;
    const status = Number(line.slice(9, 12));
    const length = Number(headers.get('content-length') ?? (side === 'request' ? 0 : Number.NaN));
    const empty =
      side === 'response' && (status === 204 || status === 304 || status < 200 || bodiless(messages.length));
    let body: Uint8Array = new Uint8Array(0);
    let cut = false;
    at = start;
    if (empty) at = start;
    else if (/chunked/i.test(headers.get('transfer-encoding') ?? '')) ({ body, next: at, cut } = unchunk(bytes, start));
    else {
      // Without a length an answer goes on until the connection ends.
      const size = Number.isFinite(length) && length >= 0 ? length : bytes.length - start;
      body = bytes.subarray(start, start + size);
      cut = body.length < size;
      at = start + size;
    }
    messages.push({ line, headers, body: unpack(body, headers.get('content-encoding') ?? ''), cut });
  }
  return messages;
}
