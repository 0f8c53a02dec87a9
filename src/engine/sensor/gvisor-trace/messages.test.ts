import { describe, expect, it } from 'vitest';
import { handshake, readHandshake, readHeader } from './messages.ts';

describe('readHeader', () => {
  it.each([
    ['a header', [8, 0, 7, 0, 0, 0, 0, 0], { sizeBytes: 8, type: 7, dropped: 0 }],
    ['what follows it', [8, 0, 7, 1, 4, 3, 2, 1, 99], { sizeBytes: 8, type: 263, dropped: 0x01020304 }],
    ['a longer header of a newer version', [10, 0, 7, 0, 0, 0, 0, 0, 1, 1, 5], { sizeBytes: 10, type: 7, dropped: 0 }],
    ['too few bytes', [8, 0, 7, 0, 0, 0, 0], null],
    ['no bytes', [], null],
    ['a header that is longer than the packet', [9, 0, 7, 0, 0, 0, 0, 0], null],
    ['a header that is shorter than it can be', [7, 0, 7, 0, 0, 0, 0, 0], null],
  ])('meets %s', (_, bytes, expected) => {
    expect(readHeader(Buffer.from(bytes))).toEqual(expected);
  });
});

describe('the handshake', () => {
  it('is read as it is written', () => {
    expect(readHandshake(handshake)).toEqual({ version: 1 });
  });
});
