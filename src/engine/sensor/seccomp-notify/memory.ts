import { closeSync, openSync, readSync } from 'node:fs';
import { addressOf, errors, lastError, readMemory } from './kernel.ts';

/**
 * The memory of a process that waits for us. What it says about its memory may be wrong in every way; what cannot be
 * read is simply missing.
 */

/** Reads that cross into another page are split there, so that a page that is not mapped cuts the read short. */
const pageBytes = 4096;
export const mostBytes = 128 * 1024;
const mostPieces = mostBytes / pageBytes + 1;
/** Most names are short. */
const firstBytes = 256;
const growth = 32;
/** `struct iovec`: address u64, length u64. */
const wordsOfPiece = 4;

/** Lengths of the pieces of a range, one per page that it touches. */
export function splitAtPages(address: number, length: number): number[] {
  const first = Math.min(length, pageBytes - (address % pageBytes));
  const pieces = length > 0 ? [first] : [];
  for (let left = length - first; left > 0; left -= pageBytes) pieces.push(Math.min(left, pageBytes));
  return pieces;
}

export class CallerMemory {
  readonly #target: Buffer;
  readonly #base: number;
  readonly #local = new Uint32Array(wordsOfPiece);
  readonly #remote = new Uint32Array(wordsOfPiece * mostPieces);
  readonly #localAddress = addressOf(Buffer.from(this.#local.buffer));
  readonly #remoteAddress = addressOf(Buffer.from(this.#remote.buffer));

  /** Everything is read to where it is kept. */
  constructor(target: Buffer) {
    this.#target = target;
    this.#base = addressOf(target);
  }

  /** Text up to its NUL, put at `offset`. The length; negative (and one less) when no end was found. */
  text(pid: number, address: number, capBytes: number, offset: number): number {
    const cap = Math.min(capBytes, mostBytes);
    for (let wanted = Math.min(firstBytes, cap); ; wanted = Math.min(wanted * growth, cap)) {
      const got = this.bytes(pid, address, wanted, offset);
      const stop = offset + got;
      // So that the search goes no farther than what came.
      this.#target[stop] = 0;
      const end = this.#target.indexOf(0, offset);
      if (end !== -1 && end < stop) return end - offset;
      if (got < wanted || wanted === cap) return -1 - got;
    }
  }

  /** Puts what is there at `offset`; says how many bytes came. */
  bytes(pid: number, address: number, length: number, offset: number): number {
    const wanted = Math.min(length, mostBytes);
    if (!Number.isSafeInteger(address + wanted) || address <= 0 || wanted <= 0) return 0;
    let pieces = 1;
    const inFirst = pageBytes - (address % pageBytes);
    if (wanted <= inFirst) this.#setPiece(this.#remote, 0, address, wanted);
    else pieces = this.#setPieces(address, wanted);
    this.#setPiece(this.#local, 0, this.#base + offset, wanted);
    const got = readMemory(pid, this.#localAddress, 1, this.#remoteAddress, pieces, 0);
    if (got >= 0) return got;
    const error = lastError();
    return error === errors.noCall || error === errors.notPermitted ? this.#readFile(pid, address, wanted, offset) : 0;
  }

  #setPieces(address: number, length: number): number {
    let start = address;
    const pieces = splitAtPages(address, length);
    for (const [at, piece] of pieces.entries()) {
      this.#setPiece(this.#remote, at, start, piece);
      start += piece;
    }
    return pieces.length;
  }

  #setPiece(words: Uint32Array, at: number, address: number, length: number): void {
    words[at * wordsOfPiece] = address % 2 ** 32;
    words[at * wordsOfPiece + 1] = Math.floor(address / 2 ** 32);
    words[at * wordsOfPiece + 2] = length;
  }

  /** The longer way, where the short one is not allowed. */
  #readFile(pid: number, address: number, length: number, offset: number): number {
    try {
      const fd = openSync(`/proc/${pid}/mem`, 'r');
      try {
        return readSync(fd, this.#target, offset, length, address);
      } finally {
        closeSync(fd);
      }
    } catch {
      return 0;
    }
  }
}
