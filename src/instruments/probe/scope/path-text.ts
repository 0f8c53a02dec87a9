/** Paths that programs would read in another way than they are written. */

const mostDecodings = 5;

/** Percent-encoding undone once; null where the bytes are no UTF-8. */
function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    return null;
  }
}

/** Dot segments are looked for as the laxest server would: after a parameter, a backslash, a compatible character. */
function hasDotSegment(text: string): boolean {
  return text
    .normalize('NFKC')
    .split(/[/\\]/)
    .some((segment) => /^\.{1,2}$/.test((segment.split(';')[0] ?? '').replace(/[\0-\x20]/g, '')));
}

const decodedForms: readonly (readonly [form: RegExp, reason: string])[] = [
  [/[\r\n]/, 'it holds an encoded line break'],
  [/[\0-\x1f\x7f]/, 'it holds an encoded control character'],
];

/** What is wrong with a path, decoded as often as anybody may decode it; null when nothing is. */
export function faultOfPath(path: string): string | null {
  let text = path;
  for (let turn = 0; turn <= mostDecodings; turn += 1) {
    if (hasDotSegment(text)) {
      const how = ['', ' in encoded form'][turn] ?? ' encoded more than once';
      return `it holds a dot segment${how}, and where it leads is read in different ways`;
    }
    const form = decodedForms.find(([pattern]) => pattern.test(text));
    if (form !== undefined) return form[1];
    const decoded = decodeOnce(text);
    if (decoded === null) return 'its percent-encoding is no UTF-8';
    if (decoded === text) return null;
    text = decoded;
  }
  return `it is encoded more than ${mostDecodings} times`;
}

/** The same for a query, where dots and other encodings mean nothing. */
export function faultOfQuery(query: string): string | null {
  const encoded = /%(25)*(0[0-9a-f]|1[0-9a-f]|7f)/i.exec(query);
  if (encoded === null) return null;
  return /(0a|0d)$/i.test(encoded[0]) ? 'it holds an encoded line break' : 'it holds an encoded control character';
}
