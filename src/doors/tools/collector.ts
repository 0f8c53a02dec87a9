import type { AnswerPart } from './answer.ts';
import type { ResponseCollector, UntrustedPart } from './contract.ts';

/** What a handler says, in its order. More than the cap is counted and not kept. */

export interface Collected {
  readonly parts: readonly AnswerPart[];
  readonly droppedBytes: number;
}

export class Collector implements ResponseCollector {
  readonly #parts: AnswerPart[] = [];
  readonly #capBytes: number;
  #keptBytes = 0;
  #droppedBytes = 0;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  say(text: string): void {
    const kept = this.#take(text);
    if (kept !== '') this.#parts.push({ kind: 'said', text: kept });
  }

  quote({ label, text }: UntrustedPart): void {
    this.#parts.push({ kind: 'quoted', label, text: this.#take(text) });
  }

  collected(): Collected {
    return { parts: [...this.#parts], droppedBytes: this.#droppedBytes };
  }

  #take(text: string): string {
    const bytes = Buffer.byteLength(text);
    const room = this.#capBytes - this.#keptBytes;
    if (bytes <= room) {
      this.#keptBytes += bytes;
      return text;
    }
    const kept = cutBytes(text, room);
    this.#keptBytes += Buffer.byteLength(kept);
    this.#droppedBytes += bytes - Buffer.byteLength(kept);
    return kept;
  }
}

/** The beginning of a text: at most so many bytes, and no half character. */
export function cutBytes(text: string, mostBytes: number): string {
  if (mostBytes <= 0) return '';
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= mostBytes) return text;
  let end = mostBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
