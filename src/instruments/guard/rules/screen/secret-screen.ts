import { isGenuine, type SecretFormat } from '../../../../targets/secrets/formats.ts';
import { isExampleToken } from '../../../../targets/secrets/placeholder.ts';
import { parsePattern } from '../pattern/parse.ts';
import { requiredBy, worth } from '../pattern/required.ts';
import { LiteralFinder } from './literal-finder.ts';

/** Finds secrets of known forms in long texts: their beginnings in one pass, and the expression only where one stands. */

export interface FoundSecret {
  readonly format: SecretFormat;
  /** The secret itself: it is hashed or cut by whoever asked, and told to nobody. */
  readonly token: string;
}

interface Screened {
  readonly format: SecretFormat;
  readonly shortest: number;
  /** Without a blank in it: what is shorter than the shortest is no secret, which needs no expression to be seen. */
  readonly isOneWord: boolean;
}

const before = 260;
const behind = 700;
const mostFound = 32;
const wordCharacter = /[A-Za-z0-9_~.+/=:-]/;
const isWordCode = Uint8Array.from({ length: 128 }, (_, code) =>
  wordCharacter.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether a word of at least so many characters stands around this place. */
function hasLongWord(text: string, at: number, least: number): boolean {
  let [start, end] = [at, at];
  while (start > 0 && at - start < before && isWordCode[text.charCodeAt(start - 1)] === 1) start -= 1;
  while (end < text.length && end - start < least && isWordCode[text.charCodeAt(end)] === 1) end += 1;
  return end - start >= least;
}

export class SecretScreen {
  readonly #formats: Screened[] = [];
  readonly #owners: number[] = [];
  readonly #literals: string[] = [];
  readonly #finder: LiteralFinder;

  constructor(formats: readonly SecretFormat[]) {
    for (const format of formats) this.#learn(format);
    this.#finder = new LiteralFinder(this.#literals, 4);
  }

  find(text: string): readonly FoundSecret[] {
    const found: FoundSecret[] = [];
    const lookedAt = new Map<number, number>();
    this.#finder.find(text, (literal, at) => {
      const owner = this.#owners[literal] ?? 0;
      const screened = this.#formats[owner];
      if (screened === undefined || found.length >= mostFound || at < (lookedAt.get(owner) ?? -1)) return;
      if (screened.isOneWord && !hasLongWord(text, at, screened.shortest)) return;
      lookedAt.set(owner, at + behind / 2);
      found.push(...secretsIn(text.slice(Math.max(0, at - before), at + behind * 2), screened.format));
    });
    return [...new Map(found.map((each) => [each.token, each])).values()];
  }

  #learn(format: SecretFormat): void {
    const node = parsePattern(format.pattern.source);
    const { clauses, shortest } = node === null ? { clauses: [], shortest: 0 } : requiredBy(node);
    const useful = clauses.filter((clause) => clause.every((text) => text.length >= 3));
    const best = useful.toSorted((left, right) => worth(right) - worth(left))[0] ?? [format.keyword.padEnd(3, '-')];
    const owner = this.#formats.push({ format, shortest, isOneWord: !/\\s|\\n| /.test(format.pattern.source) }) - 1;
    for (const text of best) {
      this.#literals.push(text.toLowerCase());
      this.#owners.push(owner);
    }
  }
}

function secretsIn(text: string, format: SecretFormat): readonly FoundSecret[] {
  return Array.from(text.matchAll(format.pattern), ([token]) => ({ format, token })).filter(
    ({ token }) => !isExampleToken(token) && isGenuine(format, token),
  );
}
