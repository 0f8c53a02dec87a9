import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Canary } from '../canary.ts';
import { makeHome } from '../home.ts';
import { createRandom } from '../random.ts';
import { encodeBase32, reverse, rot13 } from './encodings.ts';
import type { StreamHit } from './hit.ts';
import { joinLabels } from './labels.ts';
import { createRecogniser } from './recogniser.ts';

const { canaries } = makeHome({ seed: 'recogniser', now: new Date('2026-01-02T03:04:05Z') });
const recogniser = createRecogniser(canaries);

type Encode = (bytes: Buffer, salt: number) => Buffer;
const text = (write: (bytes: Buffer, salt: number) => string): Encode => {
  return (bytes, salt) => Buffer.from(write(bytes, salt), 'latin1');
};
const perByte = (write: (byte: number, index: number) => string): Encode =>
  text((bytes) => [...bytes].map(write).join(''));
const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0');
const isLetterOrDigit = (byte: number): boolean => /[0-9A-Za-z]/.test(String.fromCharCode(byte));

/** Every way out that is promised, with what it is called in a hit. */
const encoders: Readonly<Record<string, { readonly name: string; readonly encode: Encode }>> = {
  base64: { name: 'base64', encode: text((bytes) => bytes.toString('base64')) },
  'base64 in lines': {
    name: 'base64',
    encode: text((bytes) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n')),
  },
  base64url: { name: 'base64', encode: text((bytes) => bytes.toString('base64url')) },
  base32: { name: 'base32', encode: text(encodeBase32) },
  'base32 in lower case': { name: 'base32', encode: text((bytes) => encodeBase32(bytes).toLowerCase()) },
  hex: { name: 'hex', encode: text((bytes) => bytes.toString('hex')) },
  'upper case hex': { name: 'hex', encode: text((bytes) => bytes.toString('hex').toUpperCase()) },
  'hex with colons': { name: 'hex', encode: text((bytes) => [...bytes].map(hex2).join(':')) },
  'hex with spaces': { name: 'hex', encode: text((bytes) => [...bytes].map(hex2).join(' ')) },
  'hex as a list': { name: 'hex', encode: text((bytes) => [...bytes].map((byte) => `0x${hex2(byte)}`).join(', ')) },
  'url, what must be': {
    name: 'url-encoded',
    encode: perByte((byte) => (isLetterOrDigit(byte) ? String.fromCharCode(byte) : `%${hex2(byte)}`)),
  },
  'url, every third': {
    name: 'url-encoded',
    encode: perByte((byte, index) =>
      isLetterOrDigit(byte) && index % 3 !== 0 ? String.fromCharCode(byte) : `%${hex2(byte).toUpperCase()}`,
    ),
  },
  'url, everything': { name: 'url-encoded', encode: perByte((byte) => `%${hex2(byte)}`) },
  'json, unicode': { name: 'json-escaped', encode: perByte((byte) => `\\u00${hex2(byte)}`) },
  'html, decimal': { name: 'html-escaped', encode: perByte((byte) => `&#${byte};`) },
  'html, hex': {
    name: 'html-escaped',
    encode: perByte((byte, index) => (index % 4 === 1 ? `&#x${byte.toString(16)};` : String.fromCharCode(byte))),
  },
  'utf-16 little': { name: 'utf-16', encode: (bytes) => Buffer.from(bytes.toString('latin1'), 'utf16le') },
  'utf-16 big': { name: 'utf-16', encode: (bytes) => Buffer.from(bytes.toString('latin1'), 'utf16le').swap16() },
  reversed: { name: 'reversed', encode: reverse },
  rot13: { name: 'rot13', encode: rot13 },
  xor: { name: 'xor', encode: (bytes, salt) => Buffer.from(bytes.map((byte) => byte ^ (1 + (salt % 255)))) },
  gzip: { name: 'gzip', encode: (bytes) => gzipSync(bytes) },
  zlib: { name: 'zlib', encode: (bytes, salt) => deflateSync(bytes, { level: salt % 10 }) },
  deflate: { name: 'deflate', encode: (bytes) => deflateRawSync(bytes) },
  brotli: { name: 'brotli', encode: (bytes, salt) => brotliCompressSync(bytes, { params: { 1: salt % 12 } }) },
};
const needsStart = new Set(['deflate', 'brotli']);
const names = Object.keys(encoders);
const decodable = names.filter((name) => !['utf-16', 'reversed', 'rot13', 'xor'].includes(encoders[name]?.name ?? ''));
const precomputed = ['base64', 'base64url', 'base32', 'hex'];
/** Outer layers that are decoded take anything inside; those that are searched for take what can be written down. */
const chains: readonly (readonly [string, string])[] = [
  ...decodable.flatMap((outer) => names.map((inner) => [outer, inner] as const)),
  ...names
    .filter((name) => !decodable.includes(name))
    .flatMap((outer) => precomputed.map((inner) => [outer, inner] as const)),
].filter(
  ([outer, inner]) =>
    // Under a key only base64 and hex are looked for.
    (outer !== 'xor' || inner !== 'base32') &&
    // Among escapes nobody can tell where compression without a mark begins.
    !(/^(url|json|html)/.test(outer) && needsStart.has(inner)),
);

function encodeWith(name: string, bytes: Buffer, salt: number): Buffer {
  const encoder = encoders[name];
  if (encoder === undefined) throw new RangeError(name);
  return encoder.encode(bytes, salt);
}

function cut(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...cuts.map((share) => share % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

function run(id: string, pieces: readonly Buffer[]): readonly StreamHit[] {
  return [...pieces.flatMap((piece) => recogniser.feed(id, piece)), ...recogniser.end(id)];
}

const found = (hits: readonly StreamHit[]): readonly string[] => hits.map(({ canary }) => canary.id);

/** What stands around a leak without being part of its encoding. */
const quotes = ['"', '<', ' ', '\n', '(', '='] as const;
const surrounding = fc
  .tuple(fc.string({ unit: 'binary-ascii', maxLength: 60 }), fc.constantFrom(...quotes))
  .map(([noise, quote]) => noise + quote);
const leak = fc.record({
  canary: fc.constantFrom(...canaries),
  needle: fc.nat(),
  before: surrounding,
  after: surrounding,
  // What is encoded along with the canary, so that it begins at any bit of a digit.
  inside: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
  salt: fc.nat(1000),
  cuts: fc.array(fc.nat(100_000), { maxLength: 4 }),
});
type Leak = typeof leak extends fc.Arbitrary<infer T> ? T : never;

function needleOf({ canary, needle }: Leak): Buffer {
  return Buffer.from(canary.needles[needle % canary.needles.length] ?? Buffer.alloc(0));
}

/** Compression without a mark is tried where a message begins, so there nothing stands before it. */
function wrap(encoded: Buffer, { before, after, cuts }: Leak, outer: string | null): readonly Buffer[] {
  const isBare = outer !== null && needsStart.has(outer);
  return cut(Buffer.concat([Buffer.from(isBare ? '' : `${before} "`), encoded, Buffer.from(`"${after}`)]), cuts);
}

const seed = { seed: 20_260_102 };

describe('a canary that leaves', () => {
  it('as it is or in another case, wherever it is cut', () => {
    fc.assert(
      fc.property(leak, fc.constantFrom('as is', 'lower', 'upper'), (one, how) => {
        const needle = needleOf(one);
        const isText = needle.every((byte) => byte >= 0x20 && byte < 0x7f);
        const shown =
          how === 'as is' || !isText
            ? needle
            : Buffer.from(how === 'lower' ? needle.toString().toLowerCase() : needle.toString().toUpperCase());
        expect(found(run('plain', wrap(shown, one, null)))).toContain(one.canary.id);
      }),
      { ...seed, numRuns: 500 },
    );
  });

  it.each(names)('through one layer: %s', (name) => {
    fc.assert(
      fc.property(leak, (one) => {
        const bytes = Buffer.concat([Buffer.from(one.inside), needleOf(one), Buffer.from(one.inside)]);
        const hits = run(name, wrap(encodeWith(name, bytes, one.salt), one, name));
        expect(found(hits)).toContain(one.canary.id);
      }),
      { ...seed, numRuns: 60 },
    );
  });

  it.each(names)('is told with what was done to it: %s', (name) => {
    const canary = canaries.find(({ vendor }) => vendor === 'aws-secret-key') as Canary;
    const encoded = encodeWith(name, Buffer.from(canary.token), 7);
    const told = run('told', [encoded])
      .filter((hit) => hit.canary === canary)
      .map(({ chain }) => chain.join());
    expect(told.map((chain) => chain.replace('base64url', 'base64'))).toContain(encoders[name]?.name);
  });

  it.each(chains)('through two layers: %s of %s', (outer, inner) => {
    fc.assert(
      fc.property(leak, (one) => {
        const bytes = Buffer.concat([
          Buffer.from(needsStart.has(inner) ? '' : one.inside),
          encodeWith(inner, needleOf(one), one.salt),
        ]);
        const hits = run('nested', wrap(encodeWith(outer, bytes, one.salt), one, outer));
        expect(found(hits)).toContain(one.canary.id);
      }),
      { ...seed, numRuns: 6 },
    );
  });

  it('byte by byte', () => {
    for (const name of names) {
      const [canary] = canaries;
      const encoded = encodeWith(name, Buffer.from(canary?.token ?? ''), 3);
      const pieces = [...encoded, 0x0a].map((byte) => Buffer.from([byte]));
      expect(found(run('slow', pieces)), name).toContain(canary?.id);
    }
  });

  it('over the labels of consecutive names', () => {
    const canary = canaries.find(({ vendor }) => vendor === 'github-token') as Canary;
    for (const digits of [
      Buffer.from(canary.token).toString('hex'),
      encodeBase32(Buffer.from(canary.token)),
      Buffer.from(canary.token).toString('base64url').toLowerCase(),
    ]) {
      const queries = (digits.match(/.{1,24}/g) ?? []).map(
        (part) => `${part.slice(0, 9)}.${part.slice(9)}.evil.example.`,
      );
      expect(
        found(
          run(
            'dns',
            queries.map((query) => joinLabels(query)),
          ),
        ),
      ).toContain(canary.id);
    }
  });
});

describe('what is no leak', () => {
  it('random bytes and text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), fc.string({ maxLength: 2000 }), (bytes, words) => {
        expect(run('noise', [Buffer.from(bytes), Buffer.from(words)])).toEqual([]);
      }),
      { ...seed, numRuns: 200 },
    );
  });

  it('a canary with one character changed, whatever it is encoded with', () => {
    fc.assert(
      fc.property(leak, fc.nat(), fc.constantFrom('as is', ...names), (one, place, name) => {
        const needle = needleOf(one);
        const at = place % needle.length;
        // Another character even for those who do not look at case.
        needle[at] = needle[at] === 0x33 ? 0x35 : 0x33;
        const encoded = name === 'as is' ? needle : encodeWith(name, needle, one.salt);
        expect(run('near', wrap(encoded, { ...one, before: '', after: '' }, name))).toEqual([]);
      }),
      { ...seed, numRuns: 1500 },
    );
  });

  it('a canary of another run', () => {
    const other = makeHome({ seed: 'another run', now: new Date('2026-01-02T03:04:05Z') });
    expect(other.files.flatMap(({ path, content }) => run(path, [Buffer.from(content)]))).toEqual([]);
  });

  it('the public half of a key', () => {
    const home = makeHome({ seed: 'recogniser', now: new Date('2026-01-02T03:04:05Z') });
    const half = home.files.find(({ path }) => path === '.ssh/id_ed25519.pub');
    expect(run('public', [Buffer.from(half?.content ?? '')])).toEqual([]);
  });
});

describe('limits', () => {
  it('refuse a canary that could turn up by chance', () => {
    const [canary] = canaries as [Canary];
    expect(() => createRecogniser([{ ...canary, needles: [Buffer.from('too short')] }])).toThrow('by chance');
  });

  it('look into a bomb as far as the cap, and count it', () => {
    const own = createRecogniser(canaries, { inflatedBytes: 100_000 });
    const [canary] = canaries as [Canary];
    const bomb = Buffer.concat([Buffer.from(`${canary.token} and a few words`), Buffer.alloc(20_000_000)]);
    for (const compress of [gzipSync, deflateSync, deflateRawSync, brotliCompressSync]) {
      const before = own.cuts.cutRegions;
      const hits = [...own.feed('bomb', compress(bomb)), ...own.end('bomb')];
      expect(found(hits), compress.name).toContain(canary.id);
      expect(own.cuts.cutRegions, compress.name).toBeGreaterThan(before);
    }
  });

  it('hold against a thousand regions that each want to become large', () => {
    const own = createRecogniser(canaries);
    const bomb = deflateSync(Buffer.alloc(20_000_000)).subarray(0, 60);
    own.feed('bombs', Buffer.concat(Array.from({ length: 1000 }, () => bomb)));
    own.end('bombs');
    expect(own.cuts.cutRegions).toBeGreaterThan(500);
    const [canary] = canaries as [Canary];
    expect(found(own.feed('bombs', Buffer.from(canary.token)))).toEqual([canary.id]);
  });

  it('forget the oldest stream, and count it', () => {
    const own = createRecogniser(canaries, { streams: 2 });
    for (const id of ['a', 'b', 'c']) own.feed(id, Buffer.from('x'));
    expect(own.cuts.droppedStreams).toBe(1);
  });

  it('stop decoding when the allowance is spent, and count it', () => {
    const own = createRecogniser(canaries, { decodeBytes: 0, decodeRatio: 0 });
    own.feed('a', Buffer.from(createRandom('x').bytes(3000).toString('base64')));
    own.end('a');
    expect(own.cuts.undecodedBytes).toBeGreaterThan(1000);
  });

  it('tell no more hits than asked for, and count the rest', () => {
    const own = createRecogniser(canaries, { hits: 3 });
    const [canary] = canaries as [Canary];
    const hits = own.feed('a', Buffer.from(`${canary.token}${' '.repeat(3000)}`.repeat(5)));
    expect(hits).toHaveLength(3);
    expect(own.cuts.droppedHits).toBe(2);
  });

  it('tell where each leak is', () => {
    const [canary] = canaries as [Canary];
    const pieces = [`${'.'.repeat(70_000)}${canary.token}`, `${'.'.repeat(5000)}${canary.token}`].map((each) =>
      Buffer.from(each),
    );
    expect(run('where', pieces).map(({ offset }) => offset)).toEqual([70_000, 75_000 + canary.token.length]);
  });

  // Without an end of their own: they are looked at when the stream is over, and their first bytes have gone by.
  const words = Array.from({ length: 800 }, (_, at) => (at * 7919) % 1000).join(' ');
  it.each([
    ['base64 gzip', (bytes: Buffer) => gzipSync(bytes).toString('base64').replaceAll('=', '')],
    ['hex gzip', (bytes: Buffer) => gzipSync(bytes).toString('hex')],
    ['gzip', (bytes: Buffer) => gzipSync(bytes).subarray(0, -8)],
  ] as const)('tell where a region of %s began, also when it began long ago', (disguise, encode) => {
    const [canary] = canaries as [Canary];
    const encoded = Buffer.from(encode(Buffer.from(`${words} ${canary.token} and the rest`)));
    const stream = Buffer.concat([Buffer.from('~'.repeat(3000)), encoded]);
    for (const size of [stream.length, 700, 64]) {
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
        stream.subarray(at * size, (at + 1) * size),
      );
      const hits = run(`region ${disguise} ${size}`, pieces).filter(({ chain }) => chain.join(' ') === disguise);
      expect(hits.map(({ offset }) => offset)).toEqual([3000]);
    }
  });
});
