/** Text of a sample as one visible line: what cannot be printed becomes `\xNN`, and the rest is cut. */
export function tidy(text: string, cap = 256): string {
  let out = '';
  for (const character of text.slice(0, cap)) {
    const code = character.codePointAt(0) ?? 0;
    const hidden =
      code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000) || /\p{C}/u.test(character);
    out += hidden ? escaped(code) : character;
  }
  return out.length > cap ? out.slice(0, cap) : out;
}

const escaped = (code: number): string =>
  code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The names of the bits that are set; what has no name is shown as a number. */
export function flagNames(value: number, names: Readonly<Record<number, string>>): string[] {
  const found: string[] = [];
  let rest = value;
  for (const [bit, name] of Object.entries(names)) {
    const mask = Number(bit);
    if ((value & mask) >>> 0 !== mask) continue;
    found.push(name);
    rest = (rest & ~mask) >>> 0;
  }
  if (rest !== 0) found.push(hex(rest));
  return found;
}

/** A list that stays short in the facts, beside how long it was. */
export const capped = <T>(list: readonly T[], cap: number): T[] => list.slice(0, cap);

/** The time as ISO text, with what can be said about whether it is one. */
export function timeOf(seconds: number): { readonly iso: string | null; readonly plausible: boolean } {
  if (seconds === 0 || seconds === 0xffffffff) return { iso: null, plausible: false };
  const iso = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  const plausible = seconds * 1000 >= Date.UTC(1992, 0, 1) && seconds * 1000 <= Date.now() + 86_400_000;
  return { iso, plausible };
}

export const guidOf = (bytes: Uint8Array): string => {
  const text = (from: number, to: number, flip: boolean): string => {
    const part = Buffer.from(bytes.subarray(from, to));
    return (flip ? part.reverse() : part).toString('hex');
  };
  return [text(0, 4, true), text(4, 6, true), text(6, 8, true), text(8, 10, false), text(10, 16, false)]
    .join('-')
    .toUpperCase();
};
