/** JSON without a character that cannot be seen: names in a policy may hold any, and the text is used as it is shown. */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // Line ends and blanks outside of texts are JSON's own; inside they are escaped already.
  const plain = text.replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${plain}\n`;
}
