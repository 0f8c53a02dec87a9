/** Kinds of characters, by number: asked once for each character of the text. */

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

export function isHex(code: number): boolean {
  return isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

/** Letters of other scripts, roughly: names of hosts may have them. What is no letter is found out later. */
function isForeignLetter(code: number): boolean {
  return (
    (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x3005 && code < 0xd800 && !(code >= 0x3008 && code <= 0x3020)) ||
    (code >= 0xf900 && code < 0xfe00)
  );
}

/** What a name of a host or a file can hold: letters, digits, dot, hyphen, underscore. */
export function isNameCharacter(code: number): boolean {
  return isAlphanumeric(code) || code === 46 || code === 45 || code === 95 || (code > 0x7f && isForeignLetter(code));
}

/** Ends a URL: blanks, controls, quotes, angle and curly brackets, and the punctuation of other scripts. */
export function endsUrl(code: number): boolean {
  if (code <= 32 || code === 127) return true;
  if (code < 127) {
    return (
      code === 34 ||
      code === 39 ||
      code === 60 ||
      code === 62 ||
      code === 92 ||
      code === 94 ||
      code === 96 ||
      (code >= 123 && code <= 125)
    );
  }
  return !isForeignLetter(code) && !(code >= 0xd800 && code < 0xe000);
}
