import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base58Version } from './base58.ts';
import { isSegwit } from './bech32.ts';
import { keccak256 } from './keccak.ts';
import { isGenuineOnion } from './report-host.ts';
import { uuid5 } from './uuid.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('checksums', () => {
  it.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['The quick brown fox jumps over the lazy dog', '4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15'],
  ])('keccak-256 of %j', (text, expected) => {
    expect(hex(keccak256(Buffer.from(text)))).toBe(expected);
  });

  it('keccak-256 goes over more than one block', () => {
    expect(hex(keccak256(Buffer.alloc(300, 'a')))).not.toBe(hex(keccak256(Buffer.alloc(301, 'a'))));
    expect(keccak256(Buffer.alloc(136)).length).toBe(32);
  });

  it.each([
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 0],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 5],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 0x41],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', undefined],
    ['0OIl', undefined],
  ])('base 58 of %s', (text, expected) => {
    expect(base58Version(text)).toBe(expected);
  });

  it('makes addresses that are read again', () => {
    const body = Buffer.concat([Buffer.from([0x30]), Buffer.alloc(20, 7)]);
    const check = createHash('sha256').update(createHash('sha256').update(body).digest()).digest().subarray(0, 4);
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    let value = BigInt(`0x${Buffer.concat([body, check]).toString('hex')}`);
    let text = '';
    for (; value > 0n; value /= 58n) text = alphabet.charAt(Number(value % 58n)) + text;
    expect(base58Version(text)).toBe(0x30);
  });

  it.each([
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', true],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', true],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', true],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', false],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', false],
    ['bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', false],
  ])('segwit address %s', (text, expected) => {
    expect(isSegwit(text, 'bc')).toBe(expected);
  });

  it('onion names check themselves', () => {
    expect(isGenuineOnion('duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad')).toBe(true);
    expect(isGenuineOnion('duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczae')).toBe(false);
  });

  it('names have ids', () => {
    expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });
});
