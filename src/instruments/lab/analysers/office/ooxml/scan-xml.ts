/** A tolerant scanner for XML of unknown manners: it reports tags and text in order and builds nothing. */

export interface XmlTag {
  /** Without its prefix: `Relationship`. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  /** Values by name without prefix. */
  attributes(): ReadonlyMap<string, string>;
}

export interface XmlEvents {
  tag(tag: XmlTag): void;
  text?(text: string): void;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
    const isHex = name[1] === 'x' || name[1] === 'X';
    const code = isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function withoutPrefix(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function attributesOf(body: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of body.slice(0, 65_536).matchAll(/([^\s="'/<>]{1,200})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g)) {
    const name = withoutPrefix(match[1] ?? '');
    if (!found.has(name)) found.set(name, decodeEntities(match[2] ?? match[3] ?? ''));
    if (found.size >= 200) break;
  }
  return found;
}

/** The end of a tag; a `>` inside quotes does not end it. */
function tagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length && at - from < 1_000_000; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

function skipTo(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at === -1 ? text.length : at + end.length;
}

export function scanXml(text: string, events: XmlEvents, tick: () => void): void {
  let at = 0;
  let steps = 0;
  // A quote that never ends would have every later tag look for its end: from then on quotes are ignored.
  let ignoresQuotes = false;
  while (at < text.length) {
    if (++steps % 2048 === 0) tick();
    const open = text.indexOf('<', at);
    const end = open === -1 ? text.length : open;
    if (end > at) events.text?.(decodeEntities(text.slice(at, end)));
    if (open === -1) return;
    if (text.startsWith('<!--', open)) at = skipTo(text, '-->', open);
    else if (text.startsWith('<![CDATA[', open)) {
      at = skipTo(text, ']]>', open);
      events.text?.(text.slice(open + 9, Math.max(open + 9, at - 3)));
    } else if (text[open + 1] === '?' || text[open + 1] === '!') at = skipTo(text, '>', open);
    else {
      let close = ignoresQuotes ? -1 : tagEnd(text, open + 1);
      if (close === -1) {
        ignoresQuotes = true;
        close = text.indexOf('>', open + 1);
      }
      if (close === -1) return;
      const isEnd = text[open + 1] === '/';
      const body = text.slice(open + (isEnd ? 2 : 1), close);
      const nameEnd = body.search(/[\s/]/);
      const name = withoutPrefix(nameEnd === -1 ? body : body.slice(0, nameEnd));
      events.tag({ name, isEnd, isEmpty: body.endsWith('/'), attributes: () => attributesOf(body.slice(name.length)) });
      at = close + 1;
    }
  }
}

/** The text of every element of a name, without what other elements lie in it. */
export function textsOf(
  text: string,
  names: readonly string[],
  cap: number,
  tick: () => void,
): { name: string; text: string }[] {
  const found: { name: string; text: string }[] = [];
  let open: { name: string; text: string } | null = null;
  scanXml(
    text,
    {
      tag({ name, isEnd, isEmpty }) {
        if (!names.includes(name)) return;
        if (isEnd && open?.name === name) {
          if (found.length < cap) found.push(open);
          open = null;
        } else if (!isEnd && !isEmpty) open = { name, text: '' };
      },
      text(part) {
        if (open !== null && open.text.length < 65_536) open.text += part;
      },
    },
    tick,
  );
  return found;
}
