/** A piece of a script: a constant, a word or a sign, with the blanks before it. */

export interface TextToken {
  readonly kind: 'text';
  readonly value: string;
  readonly before: string;
  /** As written, when it was written and not computed. */
  readonly raw?: string;
}
export interface NumberToken {
  readonly kind: 'number';
  readonly value: number;
  readonly before: string;
  readonly raw?: string;
}
export interface ListToken {
  readonly kind: 'list';
  readonly items: readonly (string | number)[];
  readonly before: string;
}
export interface WordToken {
  readonly kind: 'word' | 'sign';
  readonly value: string;
  readonly before: string;
}
export type Constant = TextToken | NumberToken | ListToken;
export type Token = Constant | WordToken;

export function isConstant(token: Token | undefined): token is Constant {
  return token !== undefined && token.kind !== 'word' && token.kind !== 'sign';
}

export function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value;
}

/** What a constant is when it is put to text. */
export function textFrom(constant: Constant): string {
  if (constant.kind === 'list') return constant.items.join('');
  return String(constant.value);
}

export function codesFrom(constant: Constant): number[] {
  if (constant.kind === 'list') return constant.items.map(Number);
  return constant.kind === 'number' ? [constant.value] : [];
}

/** Characters of numbers; nothing when one of them is none. */
export function charactersOf(codes: readonly number[]): string | undefined {
  if (codes.length === 0 || codes.some((code) => !Number.isInteger(code) || code < 0 || code > 0x10ffff))
    return undefined;
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += 4096) parts.push(String.fromCodePoint(...codes.slice(at, at + 4096)));
  return parts.join('');
}
