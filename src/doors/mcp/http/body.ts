import type { IncomingMessage } from 'node:http';

export type Body = { readonly text: string } | { readonly refused: 'tooLarge' | 'broken' };

/** Reads a body that may not be larger than this; what says beforehand that it is larger is not read at all. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Body> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > mostBytes) return { refused: 'tooLarge' };
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += part.length;
      if (bytes > mostBytes) return { refused: 'tooLarge' };
      parts.push(part);
    }
  } catch {
    return { refused: 'broken' };
  }
  return { text: Buffer.concat(parts).toString('utf8') };
}
