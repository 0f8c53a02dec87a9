import { shortestNeedleBytes } from '../../../engine/decoy/canary.ts';
import { type Canary, createRecogniser, type Recogniser, type StreamHit } from '../../../engine/decoy/index.ts';
import { createKeyedMatcher, createMatcher, type Matcher } from '../../../engine/decoy/recognise/matcher.ts';
import { makeKeyedPatterns, makePatterns, type Pattern } from '../../../engine/decoy/recognise/patterns.ts';
import type { StoredCanary } from './documents.ts';
import { isWorthDecoding, type Needed, neededForAnything, neededForTokens } from './worth-decoding.ts';

/**
 * All tokens at once, in everything that they may be wrapped in. Messages that hold nothing worth decoding are only
 * compared with the forms that are known ahead; all others go through the recogniser.
 *
 *     bytes ── worth decoding? ── no ── matchers
 *                    └── yes ── recogniser (two layers deep) + matcher of short patterns
 */

export interface TokenHit {
  readonly canary: StoredCanary;
  /** `plain`, `base64`, `gzip of base64`, … */
  readonly encoding: string;
}

export interface TokenStream {
  feed(bytes: Uint8Array): readonly TokenHit[];
  end(): readonly TokenHit[];
}

export interface TokenSearch {
  /** Something that is whole, such as one message. */
  whole(bytes: Uint8Array): readonly TokenHit[];
  /** Something that comes in pieces; a token may be cut by them. */
  open(): TokenStream;
}

const ownToken = /^__MCP_CANARY_([0-9a-f]{64})__$/;

/** Of our own tokens the random part is enough: whoever takes off the rest is found as well. */
function needleOf(token: string): Buffer {
  return Buffer.from(ownToken.exec(token)?.[1] ?? token, 'utf8');
}

function describeChain(chain: readonly string[]): string {
  return chain.length === 0 ? 'plain' : chain.join(' of ');
}

interface Matchers {
  readonly matcher: Matcher;
  readonly keyed: Matcher | null;
  readonly overlap: number;
}

function makeMatchers(canaries: readonly Canary[], hasKeyed: boolean): Matchers {
  const patterns = makePatterns(canaries);
  const keyedPatterns = hasKeyed ? makeKeyedPatterns(canaries) : [];
  return {
    matcher: createMatcher(patterns),
    keyed: hasKeyed ? createKeyedMatcher(keyedPatterns) : null,
    overlap: [...patterns, ...keyedPatterns].reduce((most, { bytes }) => Math.max(most, bytes.length), 0),
  };
}

export function makeTokenSearch(tokens: readonly StoredCanary[]): TokenSearch {
  const byId = new Map(tokens.map((canary) => [canary.id, canary]));
  const canaries = tokens.map(
    ({ id, token }): Canary => ({
      id,
      vendor: 'hotcell',
      kind: 'session',
      token,
      needles: [needleOf(token)],
      planted: '',
    }),
  );
  const isLong = ({ needles }: Canary): boolean => needles.every(({ length }) => length >= shortestNeedleBytes);
  const long = canaries.filter(isLong);
  const short = canaries.filter((canary) => !isLong(canary));
  const recogniser: Recogniser | null = long.length === 0 ? null : createRecogniser(long);
  const matchers = [
    ...(long.length === 0 ? [] : [makeMatchers(long, true)]),
    // A short pattern under an unknown key would turn up by chance.
    ...(short.length === 0 ? [] : [makeMatchers(short, false)]),
  ];
  const ofShort = short.length === 0 ? null : (matchers.at(-1) ?? null);
  const needed: Needed = tokens.every(({ token }) => ownToken.test(token)) ? neededForTokens : neededForAnything;
  let streams = 0;

  const hitOf = (canary: Canary, chain: readonly string[]): readonly TokenHit[] => {
    const found = byId.get(canary.id);
    return found === undefined ? [] : [{ canary: found, encoding: describeChain(chain) }];
  };
  const fromRecogniser = (hits: readonly StreamHit[]): readonly TokenHit[] =>
    hits.flatMap(({ canary, chain }) => hitOf(canary, chain));
  const match = ({ matcher, keyed }: Matchers, bytes: Uint8Array, from = 0): readonly TokenHit[] => {
    const hits: TokenHit[] = [];
    const found = ({ canary, chain }: Pattern): void => void hits.push(...hitOf(canary, chain));
    matcher.scan(bytes, from, found);
    keyed?.scan(bytes, from, found);
    return hits;
  };

  const open = (): TokenStream => {
    streams += 1;
    const name = `stream ${streams}`;
    let tail: Buffer = Buffer.alloc(0);
    const feedShort = (bytes: Uint8Array): readonly TokenHit[] => {
      if (ofShort === null) return [];
      const all = Buffer.concat([tail, bytes]);
      const hits = match(ofShort, all, tail.length);
      tail = Buffer.from(all.subarray(Math.max(0, all.length - ofShort.overlap)));
      return hits;
    };
    return {
      feed: (bytes) => [...fromRecogniser(recogniser?.feed(name, bytes) ?? []), ...feedShort(bytes)],
      end: () => fromRecogniser(recogniser?.end(name) ?? []),
    };
  };

  return {
    open,
    whole(given) {
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      if (recogniser === null || !isWorthDecoding(bytes, needed)) return matchers.flatMap((each) => match(each, bytes));
      const stream = open();
      return [...stream.feed(bytes), ...stream.end()];
    },
  };
}
