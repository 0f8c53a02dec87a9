import { UsageError } from '../../../base/errors.ts';
import { type Canary, shortestNeedleBytes } from '../canary.ts';
import { Budget, type Cuts, defaultLimits, noCuts, type RecogniserLimits } from './budget.ts';
import type { Hit, StreamHit } from './hit.ts';
import { createKeyedMatcher, createMatcher, type Matcher } from './matcher.ts';
import { makeKeyedPatterns, makePatterns } from './patterns.ts';
import { Scanner } from './scanner.ts';

/**
 * Finds canaries in anything that leaves. Two ways at once:
 *
 * - what a canary looks like in base64, hex, UTF-16, reversed … is written down ahead, and all those forms are searched
 *   for together in the bytes as they pass;
 * - regions that look encoded are decoded, and what comes out is searched in the same way, two layers deep.
 *
 * docs/decisions/0010-recognising-canaries.md says why.
 */
export interface Recogniser {
  /** The next bytes of a stream; what it finds may have begun in bytes that were fed before. */
  feed(stream: string, bytes: Uint8Array): readonly StreamHit[];
  /** The stream is over: what was still waiting for more is looked at. Forgets the stream. */
  end(stream: string): readonly StreamHit[];
  /** What was left out, over all streams. */
  readonly cuts: Readonly<Cuts>;
}

const depth = 2;

interface Stream {
  readonly scanner: Scanner;
  readonly budget: Budget;
  /** Where each canary was last seen in each disguise, so that one leak found in two ways is told once. */
  readonly seen: Map<string, number>;
  readonly fresh: Hit[];
  told: number;
}

function checkCanaries(canaries: readonly Canary[]): void {
  for (const { id, needles } of canaries)
    if (needles.length === 0 || needles.some((needle) => needle.length < shortestNeedleBytes))
      throw new UsageError(`cannot recognise ${id}: less than ${shortestNeedleBytes} bytes could turn up by chance`);
}

export function createRecogniser(canaries: readonly Canary[], limits: Partial<RecogniserLimits> = {}): Recogniser {
  checkCanaries(canaries);
  const all = { ...defaultLimits, ...limits };
  const patterns = makePatterns(canaries);
  const keyedPatterns = makeKeyedPatterns(canaries);
  return new StreamTable(
    createMatcher(patterns),
    createKeyedMatcher(keyedPatterns),
    [...patterns, ...keyedPatterns].reduce((most, { bytes }) => Math.max(most, bytes.length), shortestNeedleBytes),
    all,
  );
}

class StreamTable implements Recogniser {
  readonly cuts: Cuts = noCuts();
  readonly #matcher: Matcher;
  readonly #keyedMatcher: Matcher;
  readonly #overlapBytes: number;
  readonly #limits: RecogniserLimits;
  readonly #streams = new Map<string, Stream>();

  constructor(matcher: Matcher, keyedMatcher: Matcher, overlapBytes: number, limits: RecogniserLimits) {
    this.#matcher = matcher;
    this.#keyedMatcher = keyedMatcher;
    this.#overlapBytes = overlapBytes;
    this.#limits = limits;
  }

  feed(id: string, bytes: Uint8Array): readonly StreamHit[] {
    const stream = this.#streams.get(id) ?? this.#begin(id);
    stream.budget.earn(bytes.length);
    stream.scanner.feed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return this.#take(id, stream);
  }

  end(id: string): readonly StreamHit[] {
    const stream = this.#streams.get(id);
    if (stream === undefined) return [];
    this.#streams.delete(id);
    stream.scanner.end();
    return this.#take(id, stream);
  }

  #begin(id: string): Stream {
    const [oldest] = this.#streams.keys();
    if (oldest !== undefined && this.#streams.size >= this.#limits.streams) {
      this.#streams.delete(oldest);
      this.cuts.droppedStreams += 1;
    }
    const budget = new Budget(this.#limits, this.cuts);
    const fresh: Hit[] = [];
    const seen = new Map<string, number>();
    const scanner = new Scanner(
      {
        matcher: this.#matcher,
        keyedMatcher: this.#keyedMatcher,
        overlapBytes: this.#overlapBytes,
        budget,
        report: (hit) => this.#note(stream, hit),
      },
      { chain: [], depth, origin: null, start: 'known' },
    );
    const stream: Stream = { scanner, budget, seen, fresh, told: 0 };
    this.#streams.set(id, stream);
    return stream;
  }

  #note(stream: Stream, hit: Hit): void {
    const key = `${hit.canary.id} ${hit.chain.join(' ')}`;
    const last = stream.seen.get(key);
    if (last !== undefined && Math.abs(hit.offset - last) <= this.#overlapBytes) return;
    if (stream.told >= this.#limits.hits) {
      this.cuts.droppedHits += 1;
      return;
    }
    stream.seen.set(key, hit.offset);
    stream.told += 1;
    stream.fresh.push(hit);
  }

  #take(id: string, stream: Stream): readonly StreamHit[] {
    return stream.fresh.splice(0).map((hit) => ({ ...hit, stream: id }));
  }
}
