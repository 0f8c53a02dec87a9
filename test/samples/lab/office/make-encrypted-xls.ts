import { createHash } from 'node:crypto';
import { makeCompound } from './make-compound.ts';
import { makeWorkbookStream } from './make-xls.ts';

/** A workbook of Excel 97 encrypted with forty bits, by the published description. */

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = [...Array(256).keys()];
  const at = (index: number): number => box[index & 255] ?? 0;
  const swap = (left: number, right: number): void => {
    const kept = at(left);
    box[left & 255] = at(right);
    box[right & 255] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}

const md5 = (...parts: readonly Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

export function makeEncryptedXls(password: string): Buffer {
  const salt = Buffer.alloc(16, 0x5a);
  const first = md5(Buffer.from(password, 'utf16le')).subarray(0, 5);
  const middle = md5(...Array.from({ length: 16 }, () => Buffer.concat([first, salt]))).subarray(0, 5);
  const key = (block: number): Buffer => {
    const number = Buffer.alloc(4);
    number.writeUInt32LE(block, 0);
    return md5(middle, number);
  };
  const verifier = Buffer.alloc(16, 0x33);
  const proof = rc4(key(0), Buffer.concat([verifier, md5(verifier)]));
  const protection = Buffer.concat([Buffer.from([0x2f, 0, 54, 0, 1, 0, 1, 0, 1, 0]), salt, proof]);
  const plain = makeWorkbookStream(protection);
  const stream = Buffer.concat(
    Array.from({ length: Math.ceil(plain.length / 1024) }, (_, block) =>
      rc4(key(block), plain.subarray(block * 1024, block * 1024 + 1024)),
    ),
  );
  // Heads of records, where a workbook and its sheets begin, and the protection itself stay readable.
  for (let at = 0; at + 4 <= plain.length; ) {
    const id = plain.readUInt16LE(at);
    const length = plain.readUInt16LE(at + 2);
    const readable = id === 0x809 || id === 0x2f ? length : id === 0x85 ? 4 : 0;
    plain.copy(stream, at, at, at + 4 + readable);
    at += 4 + length;
  }
  return makeCompound({ Workbook: stream }, '2008020000000000c000000000000046');
}
