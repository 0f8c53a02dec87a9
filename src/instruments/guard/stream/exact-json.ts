/** JSON in which numbers that JavaScript would round stay as they were written. */

interface RawJson {
  /** Since V8 11.4; the library of TypeScript does not know them yet. */
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const exact = JSON as unknown as RawJson;

function keep(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (!Number.isFinite(value)) return exact.rawJSON(source);
  // Written again it may look different and still be the same number; what must not happen is another number.
  const digits = (text: string): string =>
    text
      .replace(/[eE].*$/, '')
      .replace(/[-.]/g, '')
      .replace(/^0+/, '')
      .replace(/0+$/, '');
  return digits(String(value)) === digits(source) ? value : exact.rawJSON(source);
}

/** Such a number is a leaf, although it is an object to JavaScript. */
export function isRawNumber(value: unknown): value is { readonly rawJSON: string } {
  return typeof value === 'object' && exact.isRawJSON(value);
}

export function parseExactly(text: string): unknown {
  return exact.parse(text, keep);
}
