import { hash } from 'node:crypto';

/** The tree of RFC 6962. All hashes are hexadecimal: that is quicker in Node than small buffers are. */

export const emptyRoot = hash('sha256', '');
export const noLeaf = '0'.repeat(64);

/** `line` has room for one byte before it, which the caller gives away: no copy is made. */
export function hashLeafInPlace(buffer: Buffer, start: number, end: number): string {
  buffer[start - 1] = 0;
  return hash('sha256', buffer.subarray(start - 1, end));
}

export function hashLeaf(line: string | Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.of(0), typeof line === 'string' ? Buffer.from(line) : line]));
}

export function hashNode(left: string, right: string): string {
  return hash('sha256', Buffer.from(`01${left}${right}`, 'hex'));
}

/**
 * The tree of all leaves so far, of which only the roots of its complete parts are kept: one for each bit that is set in
 * the size.
 */
export class Frontier {
  #size = 0;
  readonly #parts: string[] = [];
  readonly #node = Buffer.alloc(65, 1);

  static from(size: number, parts: readonly string[]): Frontier | null {
    const isWhole = Number.isSafeInteger(size) && size >= 0 && bitsSet(size) === parts.length;
    if (!isWhole || !parts.every((part) => /^[0-9a-f]{64}$/.test(part))) return null;
    const frontier = new Frontier();
    frontier.#size = size;
    frontier.#parts.push(...parts);
    return frontier;
  }

  get size(): number {
    return this.#size;
  }

  /** Largest first. */
  get parts(): readonly string[] {
    return [...this.#parts];
  }

  copy(): Frontier {
    const frontier = new Frontier();
    frontier.#size = this.#size;
    frontier.#parts.push(...this.#parts);
    return frontier;
  }

  push(leaf: string): void {
    let part = leaf;
    // Not with bit operators: those are for 32 bits.
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) part = this.#join(this.#parts.pop() ?? '', part);
    this.#parts.push(part);
    this.#size += 1;
  }

  root(): string {
    const last = this.#parts.at(-1);
    if (last === undefined) return emptyRoot;
    return this.#parts.slice(0, -1).reduceRight((right, left) => this.#join(left, right), last);
  }

  #join(left: string, right: string): string {
    this.#node.write(left, 1, 'hex');
    this.#node.write(right, 33, 'hex');
    return hash('sha256', this.#node);
  }
}

function bitsSet(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}
