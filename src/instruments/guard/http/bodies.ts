import type { IncomingMessage } from 'node:http';

/** Bodies, whole and not larger than they may be. */

export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | 'tooLarge' | 'broken'> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > mostBytes) return 'tooLarge';
  try {
    // The connection stays, so that the refusal reaches whoever sends too much.
    return (await collect(request.iterator({ destroyOnReturn: false }), mostBytes)) ?? 'tooLarge';
  } catch {
    return 'broken';
  }
}

export async function readDocument(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | 'broken'> {
  try {
    return (await collect(body, mostBytes)) ?? 'broken';
  } catch {
    return 'broken';
  }
}

async function collect(chunks: AsyncIterable<unknown>, mostBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > mostBytes) return null;
    parts.push(part);
  }
  return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
}
