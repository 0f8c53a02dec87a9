import type { Budget } from './budget.ts';
import { escapeMarks, longestEscapeBytes, readEscape } from './escapes.ts';
import type { Layer, OpenSink, PlaceRegion, Sink } from './scanner.ts';

/**
 * Undoes escapes, wherever only some characters of a text are escaped. Only the neighbourhood of an escape is read
 * again: as far as a needle could reach from it.
 */
export class EscapeLayer implements Layer {
  readonly #reachBytes: number;
  readonly #budget: Budget;
  readonly #place: PlaceRegion;
  #sink: Sink | null = null;
  /** How much has been poured since the last escape. */
  #sinceEscape = 0;
  /** Bytes at the end of what has been seen that may be the beginning of an escape. */
  #undecided = 0;
  #out: Buffer[] = [];

  constructor(reachBytes: number, budget: Budget, place: PlaceRegion) {
    this.#reachBytes = Math.max(reachBytes, longestEscapeBytes);
    this.#budget = budget;
    this.#place = place;
  }

  feed(bytes: Buffer, from: number): void {
    this.#read(bytes, from - this.#undecided);
  }

  #read(bytes: Buffer, from: number): void {
    const next = escapeMarks.map((mark) => nextOf(bytes, mark, from));
    const total = bytes.length;
    this.#undecided = 0;
    let literal = from;
    for (;;) {
      const mark = Math.min(...next);
      const found = mark < total ? readEscape(bytes, mark) : null;
      if (mark >= total || (found === null && total - mark < longestEscapeBytes)) {
        this.#pourLiteral(bytes, literal, Math.min(mark, total));
        this.#undecided = Math.max(0, total - mark);
        break;
      }
      let searchFrom = mark + 1;
      if (found !== null) {
        this.#pourLiteral(bytes, literal, mark);
        if (this.#sink === null) this.#begin(bytes, mark, found.encoding);
        this.#out.push(found.bytes);
        this.#sinceEscape = 0;
        literal = mark + found.length;
        searchFrom = literal;
      }
      escapeMarks.forEach((byte, index) => {
        if ((next[index] ?? 0) < searchFrom) next[index] = nextOf(bytes, byte, searchFrom);
      });
    }
    this.#flush();
  }

  #begin(bytes: Buffer, mark: number, encoding: Parameters<OpenSink>[0]): void {
    const start = Math.max(0, mark - this.#reachBytes);
    this.#sink = this.#place(start)(encoding);
    this.#out.push(bytes.subarray(start, mark));
  }

  #pourLiteral(bytes: Buffer, start: number, end: number): void {
    if (this.#sink === null || end <= start) return;
    const room = this.#reachBytes - this.#sinceEscape;
    const size = Math.min(end - start, room);
    this.#out.push(bytes.subarray(start, start + size));
    this.#sinceEscape += size;
    if (size === room) this.#close();
  }

  #flush(): void {
    if (this.#out.length === 0 || this.#sink === null) return;
    const decoded = Buffer.concat(this.#out);
    this.#out = [];
    if (this.#budget.spend(decoded.length)) this.#sink.feed(decoded);
  }

  #close(): void {
    this.#flush();
    this.#sink?.end();
    this.#sink = null;
    this.#sinceEscape = 0;
  }

  end(): void {
    this.#close();
  }
}

function nextOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
