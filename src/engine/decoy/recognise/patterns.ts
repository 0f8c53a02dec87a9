import type { Canary } from '../canary.ts';
import { base32Cores, base64Cores, reverse, rot13, toUrlSafe, utf16Core } from './encodings.ts';

/** One form of one needle that can be searched for as it is. */
export interface Pattern {
  readonly canary: Canary;
  readonly bytes: Buffer;
  /** How the needle came to look like this, outermost first. */
  readonly chain: readonly Encoding[];
  readonly letters: LetterRule;
}

/**
 * What the case of letters means. `free`: nothing. `exact`: everything. `kept or lost`: it counts, but a name server
 * or a form field may have made it all lower or all upper case.
 */
export type LetterRule = 'free' | 'exact' | 'kept or lost';

export type Encoding =
  | 'base64'
  | 'base64url'
  | 'base32'
  | 'hex'
  | 'utf-16'
  | 'reversed'
  | 'rot13'
  | 'xor'
  | 'recased'
  | 'url-encoded'
  | 'json-escaped'
  | 'html-escaped'
  | 'gzip'
  | 'zlib'
  | 'deflate'
  | 'brotli';

interface Form {
  readonly bytes: Buffer;
  readonly chain: readonly Encoding[];
  readonly letters: LetterRule;
}

function base64Forms(needle: Buffer): readonly Form[] {
  const plain = base64Cores(needle);
  const urlSafe = plain.map(toUrlSafe).filter((digits) => !plain.includes(digits));
  return [
    ...plain.map((digits) => form(digits, 'base64', 'kept or lost')),
    ...urlSafe.map((digits) => form(digits, 'base64url', 'kept or lost')),
  ];
}

function form(text: string, encoding: Encoding, letters: LetterRule): Form {
  return { bytes: Buffer.from(text, 'latin1'), chain: [encoding], letters };
}

/** Encodings that say how each byte or its place changes; they may lie over any other form. */
function disguises({ bytes, chain, letters }: Form): readonly Form[] {
  return [
    { bytes: utf16Core(bytes), chain: ['utf-16', ...chain], letters },
    { bytes: reverse(bytes), chain: ['reversed', ...chain], letters },
    { bytes: rot13(bytes), chain: ['rot13', ...chain], letters },
  ];
}

function isText(needle: Uint8Array): boolean {
  return needle.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function formsOf(needle: Buffer): readonly Form[] {
  const plain: Form = { bytes: needle, chain: [], letters: isText(needle) ? 'free' : 'exact' };
  const encoded = [
    ...base64Forms(needle),
    ...base32Cores(needle).map((digits) => form(digits, 'base32', 'free')),
    form(needle.toString('hex'), 'hex', 'free'),
  ];
  const disguised = disguises(plain);
  return [
    plain,
    ...encoded,
    ...[plain, ...encoded].flatMap(disguises),
    ...disguised.flatMap(({ bytes, chain }) =>
      base64Forms(bytes).map((each) => ({ ...each, chain: [...each.chain, ...chain] })),
    ),
  ];
}

function distinct(forms: readonly Form[]): readonly Form[] {
  // rot13 of a number is the number itself: the first and simplest reading stands.
  return [...new Map(forms.toReversed().map((each) => [each.bytes.toString('latin1'), each])).values()].reverse();
}

function spread(canaries: readonly Canary[], make: (needle: Buffer) => readonly Form[]): readonly Pattern[] {
  return canaries.flatMap((canary) =>
    distinct(canary.needles.flatMap((needle) => make(Buffer.from(needle)))).map((each) => ({ canary, ...each })),
  );
}

export function makePatterns(canaries: readonly Canary[]): readonly Pattern[] {
  return spread(canaries, formsOf);
}

/** What is searched for under an unknown one-byte key; letters must be exact, since the key blurs their case. */
export function makeKeyedPatterns(canaries: readonly Canary[]): readonly Pattern[] {
  return spread(canaries, (needle) =>
    [
      { bytes: needle, chain: [] },
      ...base64Forms(needle),
      form(needle.toString('hex'), 'hex', 'exact'),
      form(needle.toString('hex').toUpperCase(), 'hex', 'exact'),
    ].map(({ bytes, chain }) => ({ bytes, chain: ['xor', ...chain], letters: 'exact' })),
  );
}
