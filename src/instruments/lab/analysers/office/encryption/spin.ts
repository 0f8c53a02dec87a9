import { hash } from 'node:crypto';

/** Hashing again and again is the dear part of a password: the rounds that all tries together may take are counted. */

export interface SpinBudget {
  left: number;
}

export function digest(algorithm: string, ...parts: readonly Uint8Array[]): Buffer {
  return hash(algorithm, Buffer.concat(parts), 'buffer');
}

/** Null when the rounds would be more than are left. */
export function spin(
  algorithm: string,
  salt: Uint8Array,
  password: string,
  rounds: number,
  budget: SpinBudget,
  tick: () => void,
): Buffer | null {
  if (rounds > budget.left) return null;
  budget.left -= rounds;
  let value = digest(algorithm, salt, Buffer.from(password, 'utf16le'));
  const block = Buffer.alloc(4 + value.length);
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4096 === 0) tick();
    block.writeUInt32LE(round, 0);
    value.copy(block, 4);
    value = hash(algorithm, block, 'buffer');
  }
  return value;
}

/** A key made as long as is wanted, or cut. */
export function sized(value: Uint8Array, length: number, filler: number): Buffer {
  const out = Buffer.alloc(Math.min(length, 1024), filler);
  out.set(value.subarray(0, out.length));
  return out;
}
