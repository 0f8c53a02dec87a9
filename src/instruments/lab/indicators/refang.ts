/**
 * Undoes what people do to addresses so that nobody clicks on them, and what encoders do to URLs. One pass; what was
 * changed is remembered, so that every place in the new text has its place in the old one.
 */

export interface Refanged {
  readonly text: string;
  /** The place in the old text where something that begins here began. */
  startOf(index: number): number;
  /** The place in the old text where something that ends here ended. */
  endOf(index: number): number;
}

interface Edit {
  readonly newStart: number;
  readonly newEnd: number;
  readonly oldStart: number;
  readonly oldEnd: number;
}

type Undo = (match: string, at: number, text: string) => string | undefined;

/** Every quantifier is bounded or eats what it matched, so that one pass stays one pass. */
const rules: readonly (readonly [name: string, pattern: string, undo: Undo])[] = [
  // http%3A%2F%2Fhost%2Fpath, and text that is encoded as a whole.
  ['encoded', '(?<![a-z])(?:https?|ftp)%3a%2f%2f[a-z0-9%._~+*-]{1,2048}', (match) => decodePercent(match)],
  ['wholly', '(?:%[0-9a-f]{2}){8,2048}', (match) => decodePercent(match, true)],
  ['entity', '&(?:amp|#46|#x2e|#47|#x2f|#58|#x3a|period|sol|colon);', (match) => entities[match.toLowerCase()]],
  // hxxp, h**p, hXXps, h__p, fxp, before a colon in any dress.
  [
    'scheme',
    String.raw`(?<![a-z0-9])(?:h[x*_t]{2}ps?|hxtps?|meows?|f[x*]ps?)(?=[ \t]?[[({<]?[ \t]?:)`,
    (match) => schemeOf(match),
  ],
  ['colon', String.raw`[[({<]:[\])}>](?=//|\d|\\/)`, () => ':'],
  [
    'colon slashes',
    String.raw`[[({<]:(?://|\\/\\/)[\])}>]|:[[({<]//[\])}>]|(?<=(?:http|https|ftp)):\\\\(?=[a-z0-9])`,
    () => '://',
  ],
  ['slash', String.raw`\\/|[[({]/[\])}]`, () => '/'],
  [
    'dot',
    String.raw`(?<=[\p{L}\p{N}_\]-])[ \t]{0,2}[[({<][ \t]?(?:\.|dot|d0t|punkt)[ \t]?[\])}>][ \t]{0,2}(?=[\p{L}\p{N}[])`,
    () => '.',
  ],
  ['half a bracket', String.raw`(?<=[a-z0-9])(?:[[({]\.|\.[\])}])(?=[a-z0-9])`, () => '.'],
  [
    'dot of other scripts',
    String.raw`(?<=[\p{L}\p{N}-])[\u3002\uff0e\uff61](?=[\p{L}\p{N}])`,
    (match, at, text) => otherDot(match, at, text),
  ],
  [
    'escaped dot',
    String.raw`(?<=[a-z0-9-])\\\.(?=[a-z0-9])`,
    (_match, at, text) => (isInPath(text, at) ? undefined : '.'),
  ],
  ['at', String.raw`(?<=[a-z0-9_-])[ \t]{0,2}[[({<][ \t]?(?:@|at)[ \t]?[\])}>][ \t]{0,2}(?=[\p{L}\p{N}[])`, () => '@'],
  [
    'word at',
    String.raw`(?<=[a-z0-9])[ \t]at[ \t](?=[a-z0-9-]{1,63}[ \t]?(?:[[({](?:dot|\.)[\])}]|dot[ \t]))`,
    () => '@',
  ],
  [
    'word dot',
    String.raw`(?<=[a-z0-9])[ \t]dot[ \t](?=(?:com|net|org|info|biz|xyz|top|ru|cn|io|co|de|pl|uk|br|in)(?![a-z0-9]))`,
    () => '.',
  ],
];

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&#46;': '.',
  '&#x2e;': '.',
  '&period;': '.',
  '&#47;': '/',
  '&#x2f;': '/',
  '&sol;': '/',
  '&#58;': ':',
  '&#x3a;': ':',
  '&colon;': ':',
};

function schemeOf(match: string): string | undefined {
  const secure = /s$/i.test(match) ? 's' : '';
  const small = match.toLowerCase();
  if (small === 'http' || small === 'https') return undefined;
  return small.startsWith('f') ? `ftp${secure}` : `http${secure}`;
}

/** `a。b` is a host in no script but those that write the dot like this; a sentence may end so as well. */
function otherDot(_match: string, at: number, text: string): string | undefined {
  return /[A-Za-z0-9]/.test(text.charAt(at + 1)) ? '.' : undefined;
}

/** Of `C:\dir\.git` the backslash separates; of `evil\.com` it escapes. */
function isInPath(text: string, at: number): boolean {
  const before = /[^\s"'`<>|]*$/.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? '';
  const after = /^[^\s"'`<>|]*/.exec(text.slice(at + 2, at + 66))?.[0] ?? '';
  return /\\(?!\.)/.test(before) || /\\(?![.])/.test(after) || /^\.{0,2}$/.test(before);
}

function decodePercent(match: string, onlyWithScheme = false): string | undefined {
  try {
    const decoded = decodeURIComponent(match);
    if (/[\x00-\x20\x7f"'<>`]/.test(decoded) || (onlyWithScheme && !decoded.includes('://'))) return undefined;
    return decoded;
  } catch {
    return undefined;
  }
}

const pattern = new RegExp(rules.map(([, source]) => `(${source})`).join('|'), 'giu');

export function refang(text: string): Refanged {
  const edits: Edit[] = [];
  const parts: string[] = [];
  let kept = 0;
  let length = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole] = match;
    const rule = rules[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    const replaced = rule?.[2](whole, match.index, text);
    if (replaced === undefined) continue;
    parts.push(text.slice(kept, match.index), replaced);
    length += match.index - kept;
    edits.push({
      newStart: length,
      newEnd: length + replaced.length,
      oldStart: match.index,
      oldEnd: match.index + whole.length,
    });
    length += replaced.length;
    kept = match.index + whole.length;
  }
  parts.push(text.slice(kept));
  const lastBefore = (index: number): Edit | undefined => {
    let [low, high] = [0, edits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edits[middle]?.newStart ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return edits[low - 1];
  };
  return {
    text: edits.length === 0 ? text : parts.join(''),
    startOf: (index) => {
      const edit = lastBefore(index + 1);
      if (edit === undefined) return index;
      return index < edit.newEnd ? edit.oldStart : edit.oldEnd + index - edit.newEnd;
    },
    endOf: (index) => {
      const edit = lastBefore(index);
      if (edit === undefined) return index;
      return index <= edit.newEnd ? edit.oldEnd : edit.oldEnd + index - edit.newEnd;
    },
  };
}
