import { randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredCanary } from './documents.ts';
import { makeTokenSearch } from './token-search.ts';
import { isWorthDecoding, neededForTokens } from './worth-decoding.ts';

const token = `__MCP_CANARY_${randomBytes(32).toString('hex')}__`;
const canary: StoredCanary = {
  id: `cn_${'0'.repeat(16)}`,
  chain: 'c',
  token,
  plantedIn: { server: 'a', kind: 'issued', name: '' },
  downstream: [],
  createdAt: new Date(0).toISOString(),
};

describe('what is worth decoding', () => {
  const plain = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"/home/a/b.txt"}}}',
    '{"text":"two lines\\nand a \\"quote\\" with a path C:\\\\Users\\\\me"}',
    `{"hash":"${'d41d8cd98f00b204e9800998ecf8427e'}","id":"550e8400-e29b-41d4-a716-446655440000"}`,
    'Grüße aus Köln, 12 Äpfel',
  ];
  it.each(plain)('is nothing in %s', (text) => {
    expect(isWorthDecoding(Buffer.from(text), neededForTokens)).toBe(false);
  });

  /** Whatever the recogniser finds by decoding has to pass: these are its layers, one and two deep. */
  const layers: readonly ((bytes: Buffer) => Buffer)[] = [
    (bytes) => Buffer.from(bytes.toString('base64')),
    (bytes) => Buffer.from(bytes.toString('base64url')),
    (bytes) => Buffer.from(bytes.toString('hex')),
    (bytes) => Buffer.from((bytes.toString('hex').match(/../g) ?? []).join(' ')),
    (bytes) => Buffer.from(`[${(bytes.toString('hex').match(/../g) ?? []).map((pair) => `0x${pair}`).join(', ')}]`),
    (bytes) => Buffer.from(JSON.stringify((bytes.toString('base64').match(/.{1,48}/g) ?? []).join('\n'))),
    (bytes) => Buffer.from((bytes.toString('base64').match(/.{1,48}/g) ?? []).join('\r\n')),
    (bytes) => Buffer.from([...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')),
    (bytes) => Buffer.from([...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
    (bytes) => Buffer.from([...bytes].map((byte) => `&#${byte};`).join('')),
    (bytes) => gzipSync(bytes),
    (bytes) => deflateRawSync(bytes),
  ];
  it('is everything in which the whole search would find more', () => {
    const search = makeTokenSearch([canary]);
    const layer = fc.integer({ min: 0, max: layers.length - 1 });
    fc.assert(
      fc.property(
        fc.array(layer, { minLength: 1, maxLength: 2 }),
        fc.string(),
        fc.string(),
        (chosen, before, after) => {
          const inner = chosen.reduce<Buffer>((bytes, at) => layers[at]?.(bytes) ?? bytes, Buffer.from(token));
          const bytes = Buffer.concat([Buffer.from(`${before} "`), inner, Buffer.from(`" ${after}`)]);
          const stream = search.open();
          const thorough = [...stream.feed(bytes), ...stream.end()];
          expect(search.whole(bytes).length > 0).toBe(thorough.length > 0);
        },
      ),
      { numRuns: 400 },
    );
  });
});
