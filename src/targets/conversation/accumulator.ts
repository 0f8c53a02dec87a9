import type { CutFrame } from './wire.ts';

const tailBytes = 512;

/** The bytes of one frame as they come, up to a cap; of what is beyond it, the last few and the count. */
export class Accumulator {
  readonly #capBytes: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #dropped = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  get bytes(): number {
    return this.#kept + this.#dropped;
  }

  get isCut(): boolean {
    return this.#dropped > 0;
  }

  add(part: Buffer): void {
    const kept = part.subarray(0, Math.max(0, this.#capBytes - this.#kept));
    // A copy, for a small piece would keep the whole buffer that it was read into.
    if (kept.length > 0) this.#chunks.push(Buffer.from(kept));
    this.#kept += kept.length;
    const rest = part.subarray(kept.length);
    if (rest.length === 0) return;
    this.#dropped += rest.length;
    this.#tail = Buffer.concat([this.#tail, rest.subarray(-tailBytes)]).subarray(-tailBytes);
    // Many small pieces would cost more than their bytes.
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  peek(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  take(): Buffer {
    const whole = this.peek();
    this.#reset();
    return whole;
  }

  takeCut(keptBytes: number): CutFrame {
    const whole = this.peek();
    const head = Buffer.from(whole.subarray(0, keptBytes));
    const cut = { head, tail: this.#tail, droppedBytes: this.bytes - head.length };
    this.#reset();
    return cut;
  }

  #reset(): void {
    this.#chunks = [];
    this.#kept = 0;
    this.#dropped = 0;
    this.#tail = Buffer.alloc(0);
  }
}
