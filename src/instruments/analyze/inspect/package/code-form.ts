/** How code was written: by people, for size, or so that nobody can read it. */

export interface CodeForm {
  readonly isMinified: boolean;
  /** What shows that it was made unreadable on purpose. */
  readonly obfuscation: string | undefined;
}

const fewestNames = 20;
const minifiedLine = 2_000;

function distinct(text: string, pattern: RegExp, most: number): number {
  const found = new Set<string>();
  for (const [name] of text.matchAll(pattern)) {
    found.add(name);
    if (found.size >= most) break;
  }
  return found.size;
}

const signs: readonly { readonly what: string; readonly isIn: (text: string) => boolean }[] = [
  {
    what: 'names such as _0x4f2a, as obfuscators write them',
    isIn: (text) => distinct(text, /\b_0x[0-9a-f]{4,6}\b/g, fewestNames) >= fewestNames,
  },
  { what: 'packed code that is evaluated', isIn: (text) => /eval\(function\(p,a,c,k,e,[dr]\)/.test(text) },
  { what: 'code of brackets only', isIn: (text) => /(?:\[\]|!|\+|\(|\)|\[|\]){600,}/.test(text.replace(/\s+/g, '')) },
  {
    what: 'strings of escapes that are evaluated',
    isIn: (text) => /(?:eval|Function|exec)\s*\(\s*["'`](?:\\x[0-9a-f]{2}|\\u[0-9a-f]{4}){40,}/i.test(text),
  },
  {
    what: 'numbers turned into code',
    isIn: (text) => /(?:eval|Function|exec)\s*\([^;]{0,80}fromCharCode\s*\(\s*(?:\d{1,3}\s*,\s*){60,}/.test(text),
  },
  {
    what: 'marshalled or compressed Python that is executed',
    isIn: (text) =>
      /exec\s*\(\s*(?:marshal\.loads|zlib\.decompress|__import__\(['"](?:zlib|marshal|base64)['"]\))/.test(text),
  },
];

export function formOf(text: string): CodeForm {
  let longest = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const length = (end < 0 ? text.length : end) - at;
    if (length > longest) longest = length;
    at = end < 0 ? text.length : end + 1;
  }
  const lines = Math.max(1, text.length / 120);
  const isMinified = longest > minifiedLine && text.split('\n', Math.ceil(lines) + 1).length < lines;
  return { isMinified, obfuscation: signs.find(({ isIn }) => isIn(text))?.what };
}

const longBase64 = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{400,}={0,2}/g;
const longHex = /(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}){400,}(?![0-9A-Fa-f])/g;
const script =
  /^\s*(?:#!|import\s|from\s+\w+\s+import|const\s|var\s|let\s|function\s|\(function|\(\(\)\s*=>|require\(|<\?php|<script|powershell|@echo|eval\()/i;
const programs: readonly { readonly what: string; readonly magic: readonly number[] }[] = [
  { what: 'an ELF program', magic: [0x7f, 0x45, 0x4c, 0x46] },
  { what: 'a Windows program', magic: [0x4d, 0x5a, 0x90, 0x00] },
  { what: 'a Mach-O program', magic: [0xcf, 0xfa, 0xed, 0xfe] },
];

function whatIs(bytes: Buffer): string | undefined {
  const program = programs.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte));
  if (program !== undefined) return program.what;
  const head = bytes.subarray(0, 2000).toString('utf8');
  const printable = head.replace(/[^\t\n\r -~]/g, '').length / Math.max(1, head.length);
  return printable > 0.97 && script.test(head) ? 'a script' : undefined;
}

export interface Blob {
  readonly what: string;
  readonly index: number;
  readonly length: number;
}

const mostBlobs = 200;

/** Encoded texts that decode to something that runs. Pictures, fonts, maps and wasm tables do not. */
export function findBlobs(text: string): readonly Blob[] {
  const found: Blob[] = [];
  let seen = 0;
  for (const [pattern, encoding] of [
    [longBase64, 'base64'],
    [longHex, 'hex'],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      seen += 1;
      if (seen > mostBlobs) return found;
      const before = text.slice(Math.max(0, match.index - 80), match.index);
      if (/data:[\w.+-]+\/[\w.+-]+[^"'`]*$/.test(before) || /sourceMappingURL=[^\n]*$/.test(before)) continue;
      const what = whatIs(Buffer.from(match[0].slice(0, 8192), encoding));
      if (what !== undefined) found.push({ what, index: match.index, length: match[0].length });
    }
  }
  return found;
}
