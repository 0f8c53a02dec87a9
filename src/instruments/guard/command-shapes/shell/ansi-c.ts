const named: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const numbered = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.))/su;

/** One escape of `$'…'`, from behind its backslash: what it stands for, and how long it is. */
export function readAnsiEscape(text: string, at: number): { readonly value: string; readonly length: number } {
  const found = numbered.exec(text.slice(at, at + 10));
  if (found !== null) {
    const [whole, byte, short, long, octal, control] = found;
    if (control !== undefined) {
      return { value: String.fromCharCode((control.codePointAt(0) ?? 0) & 31), length: whole.length };
    }
    const digits = byte ?? short ?? long;
    const code = digits === undefined ? Number.parseInt(octal ?? '0', 8) & 255 : Number.parseInt(digits, 16);
    return { value: code <= 0x10ffff ? String.fromCodePoint(code) : '', length: whole.length };
  }
  const letter = text[at] ?? '';
  return { value: named[letter] ?? (/['"\\?]/.test(letter) ? letter : `\\${letter}`), length: 1 };
}
