import { normaliseText } from '../../../base/normalise.ts';

/**
 * What kinds of characters a text has, found in one pass. Most characters beyond ASCII are dashes, quotes, arrows and
 * accents that change nothing; what is dear is done only for texts with others, and only around those.
 */

export const kinds = {
  /** Is not the same when it is normalised, or may change the character before it. */
  changing: 1,
  /** Cannot be seen. */
  unseen: 2,
  control: 4,
  /** A letter that is not Latin. */
  foreign: 8,
  /** Of ASCII, and taken out when it is normalised. */
  lost: 16,
} as const;

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufff0-\ufff8\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/u;
const foreign = /[\p{L}\p{M}]/u;
const latin = /[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
/** Marks and letters that join the one before. */
const joining = /[\p{M}\u1161-\u1175\u11a8-\u11c2]/u;
const control = /[\0-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;

function kindOf(character: string): number {
  const isChanging = joining.test(character) || normaliseText(character).text !== character;
  return (
    (isChanging ? kinds.changing : 0) |
    (unseen.test(character) ? kinds.unseen : 0) |
    (control.test(character) ? kinds.control : 0) |
    (foreign.test(character) && !latin.test(character) ? kinds.foreign : 0)
  );
}

const isKnown = 128;
const mostPieces = 4096;
const isAscii = (code: number): boolean => code < 128;

export class Characters {
  /** By unit of UTF-16, filled as they are met. */
  readonly #units = new Uint8Array(65_536);
  readonly #pairs = new Map<number, number>();

  constructor() {
    for (let code = 0; code < 128; code += 1) {
      const kind = kindOf(String.fromCharCode(code));
      this.#units[code] = isKnown | kind | ((kind & kinds.changing) === 0 ? 0 : kinds.lost);
    }
  }

  /** Of all characters together. */
  kindsOf(text: string): number {
    const units = this.#units;
    let all = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      all |= code < 128 ? (units[code] as number) : this.#kindAt(text, at, code);
    }
    return all & ~isKnown;
  }

  #kindAt(text: string, at: number, code: number): number {
    const known = this.#units[code] as number;
    if (known !== 0) return known;
    if (code < 0xd800 || code > 0xdfff) {
      const kind = isKnown | kindOf(String.fromCharCode(code));
      this.#units[code] = kind;
      return kind;
    }
    const isSecond = code >= 0xdc00 && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isSecond) return 0;
    const point = text.codePointAt(at) ?? code;
    const pair = this.#pairs.get(point) ?? kindOf(String.fromCodePoint(point));
    if (this.#pairs.size < mostPieces) this.#pairs.set(point, pair);
    return pair;
  }

  /** The same as `normaliseText` gives. What stands between two characters of ASCII is normalised without the rest. */
  normalise(text: string): string {
    const all = this.kindsOf(text);
    if ((all & kinds.changing) === 0) return text;
    // One that is taken out brings together what it kept apart.
    if ((all & kinds.lost) !== 0) return normaliseText(text).text;
    const known = new Map<string, string>();
    const parts: string[] = [];
    let done = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code < 128 || (this.#kindAt(text, at, code) & kinds.changing) === 0) continue;
      let start = at;
      while (start > done && !isAscii(text.charCodeAt(start))) start -= 1;
      let end = at + 1;
      while (end < text.length && !isAscii(text.charCodeAt(end))) end += 1;
      const piece = text.slice(start, end);
      const normal = known.get(piece) ?? normaliseText(piece).text;
      if (known.size < mostPieces) known.set(piece, normal);
      parts.push(text.slice(done, start), normal);
      done = end;
      at = end - 1;
    }
    parts.push(text.slice(done));
    return parts.join('');
  }
}
