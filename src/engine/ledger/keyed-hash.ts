import { hash } from 'node:crypto';

/**
 * HMAC-SHA-256 (RFC 2104) with a key that stays the same. Every tool call is waited for while its arguments are hashed, and
 * an Hmac object takes longer to be made than everything else about an entry.
 */
export function keyedHash(key: Uint8Array): (text: string | Uint8Array) => string {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return (text) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const first = hash('sha256', Buffer.concat([inner, bytes]), 'buffer');
    return hash('sha256', Buffer.concat([outer, first]), 'hex');
  };
}

const blockBytes = 64;
