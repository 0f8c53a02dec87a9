import { untrusted } from '../../../base/untrusted.ts';
import type { Budget } from './budget.ts';
import { CompressionLayer } from './compression-layer.ts';
import { EscapeLayer } from './escape-layer.ts';
import type { Hit } from './hit.ts';
import { isExact, type Matcher } from './matcher.ts';
import type { Encoding, Pattern } from './patterns.ts';
import { runKinds } from './run-kinds.ts';
import { RunLayer } from './run-layer.ts';

/** What all scanners of one stream share. */
export interface Search {
  readonly matcher: Matcher;
  readonly keyedMatcher: Matcher;
  /** The longest pattern: how much of what has passed is kept, to see what is split over two pieces. */
  readonly overlapBytes: number;
  readonly budget: Budget;
  report(hit: Hit): void;
}

/** Where the decoded bytes of one region go. */
export interface Sink {
  feed(bytes: Buffer): void;
  end(): void;
}

/** Looks for regions that are encoded, and pours what they decode to into sinks. */
export interface Layer {
  /** `bytes` from `from` on are new; before that stands up to an overlap of what came earlier. */
  feed(bytes: Buffer, from: number): void;
  end(): void;
}

export type OpenSink = (encoding: Encoding, start?: 'known' | 'guessed') => Sink;

/** Says where in the bytes at hand a region begins, while they are at hand: a sink may be opened when they have gone by. */
export type PlaceRegion = (index: number) => OpenSink;

const pieceBytes = 64 * 1024;
const excerptMarginBytes = 24;
const excerptCapBytes = 160;
const nothing = Buffer.alloc(0);

export interface ScannerPlace {
  readonly chain: readonly Encoding[];
  /** How many layers below this one may still be opened. */
  readonly depth: number;
  /** Where in the stream the region that is decoded here began; null for the stream itself. */
  readonly origin: number | null;
  /** Whether the first byte is where something began, so that compression without a mark may be tried on it. */
  readonly start: 'known' | 'guessed';
}

/** Searches one sequence of bytes, and everything that is encoded in it. */
export class Scanner implements Sink {
  readonly #search: Search;
  readonly #place: ScannerPlace;
  readonly #layers: readonly Layer[];
  #tail: Buffer = nothing;
  /** Position in the sequence of the first byte at hand. */
  #base = 0;

  constructor(search: Search, place: ScannerPlace) {
    this.#search = search;
    this.#place = place;
    this.#layers = place.depth > 0 ? this.#makeLayers() : [];
  }

  #makeLayers(): readonly Layer[] {
    const { budget, overlapBytes } = this.#search;
    const place: PlaceRegion = (index) => {
      const origin = this.#positionOf(index);
      return (encoding, start = 'guessed') =>
        new Scanner(this.#search, {
          chain: [...this.#place.chain, encoding],
          depth: this.#place.depth - 1,
          origin,
          start,
        });
    };
    return [
      ...runKinds.map((kind) => new RunLayer(kind, budget, place)),
      new EscapeLayer(overlapBytes, budget, place),
      new CompressionLayer(this.#place, budget, place),
    ];
  }

  #positionOf(index: number): number {
    return this.#place.origin ?? this.#base + index;
  }

  feed(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += pieceBytes) this.#feedPiece(chunk.subarray(at, at + pieceBytes));
  }

  #feedPiece(piece: Buffer): void {
    const from = this.#tail.length;
    const bytes = from === 0 ? piece : Buffer.concat([this.#tail, piece]);
    const found = (pattern: Pattern, start: number, end: number): void => this.#report(bytes, pattern, start, end);
    this.#search.matcher.scan(bytes, from, found);
    this.#search.keyedMatcher.scan(bytes, from, found);
    for (const layer of this.#layers) layer.feed(bytes, from);
    const kept = Math.min(bytes.length, this.#search.overlapBytes);
    this.#base += bytes.length - kept;
    const tail = bytes.subarray(bytes.length - kept);
    // The caller may use the stream's own bytes again; what was decoded belongs to nobody else.
    this.#tail = this.#place.origin === null ? Buffer.from(tail) : tail;
  }

  #report(bytes: Buffer, pattern: Pattern, start: number, end: number): void {
    const isRecased = !pattern.chain.includes('xor') && !isSameOrDigits(bytes, start, pattern);
    this.#search.report({
      canary: pattern.canary,
      chain: [...this.#place.chain, ...pattern.chain, ...(isRecased ? (['recased'] as const) : [])],
      offset: this.#positionOf(start),
      excerpt: untrusted(
        bytes.subarray(Math.max(0, start - excerptMarginBytes), end + excerptMarginBytes),
        excerptCapBytes,
      ),
    });
  }

  end(): void {
    for (const layer of this.#layers) layer.end();
  }
}

/** Hex and base32 have no case of their own, so changing it is no further step. */
function isSameOrDigits(bytes: Buffer, start: number, pattern: Pattern): boolean {
  const last = pattern.chain.at(-1);
  return last === 'hex' || last === 'base32' || isExact(bytes, start, pattern.bytes);
}
