import { UsageError } from '../../../../base/errors.ts';
import type { Keys } from '../contract.ts';

/**
 * Where in a TOML document each value stands. It is a map of places and no judge: what a text means is asked of a parser,
 * before and after every change.
 */

export interface TomlPlace {
  readonly keys: Keys;
  /** Of the key, with its dots. */
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
  readonly isInline: boolean;
  /** Of a list: where its members are. */
  readonly items?: readonly { readonly start: number; readonly end: number }[];
}

const most = 200_000;

export function scanToml(text: string): readonly TomlPlace[] {
  const places: TomlPlace[] = [];
  const counts = new Map<string, number>();
  let at = 0;

  const fail = (): never => {
    throw new UsageError(`line ${text.slice(0, at).split('\n').length} is written in a way that is not understood`);
  };
  const skip = (pattern: RegExp): void => {
    pattern.lastIndex = at;
    at += pattern.exec(text)?.[0].length ?? 0;
  };
  const blanks = (): void => skip(/[ \t]*/y);
  const blanksAndLines = (): void => skip(/(?:[ \t\r\n]|#[^\n]*)*/y);

  const readString = (): string => {
    const quote = text[at] ?? '';
    const triple = quote.repeat(3);
    const isLong = text.startsWith(triple, at);
    const start = at;
    at += isLong ? 3 : 1;
    while (at < text.length) {
      if (quote === '"' && text[at] === '\\') at += 2;
      else if (isLong && text.startsWith(triple, at)) {
        at += 3;
        // Up to two quotes may stand right before the end.
        for (let more = 0; more < 2 && text[at] === quote; more += 1) at += 1;
        return text.slice(start, at);
      } else if (!isLong && text[at] === quote) {
        at += 1;
        return text.slice(start, at);
      } else if (!isLong && text[at] === '\n') return fail();
      else at += 1;
    }
    return fail();
  };
  const readKeyPart = (): string => {
    const first = text[at];
    if (first === '"') {
      try {
        return String(JSON.parse(readString()));
      } catch {
        return fail();
      }
    }
    if (first === "'") return readString().slice(1, -1);
    const bare = /[A-Za-z0-9_-]+/y;
    bare.lastIndex = at;
    const found = bare.exec(text)?.[0] ?? fail();
    at += found.length;
    return found;
  };
  const readKey = (): string[] => {
    const parts = [readKeyPart()];
    for (;;) {
      const before = at;
      blanks();
      if (text[at] !== '.') {
        at = before;
        return parts;
      }
      at += 1;
      blanks();
      parts.push(readKeyPart());
    }
  };
  /** Tables in lists are meant by the last of the list. */
  const resolve = (parts: readonly string[]): (string | number)[] => {
    const keys: (string | number)[] = [];
    for (const part of parts) {
      keys.push(part);
      const count = counts.get(JSON.stringify(keys));
      if (count !== undefined) keys.push(count - 1);
    }
    return keys;
  };
  const readEntry = (table: Keys, isInline: boolean): void => {
    const keyStart = at;
    const keys = [...table, ...readKey()];
    const keyEnd = at;
    blanks();
    if (text[at] !== '=') fail();
    at += 1;
    blanks();
    const start = at;
    const items = readValue(keys);
    if (places.length >= most) fail();
    places.push({ keys, keyStart, keyEnd, start, end: at, isInline, ...(items === null ? {} : { items }) });
  };
  /** The members, where it is a list. */
  const readValue = (keys: Keys): { start: number; end: number }[] | null => {
    const first = text[at];
    if (first === '"' || first === "'") readString();
    else if (first === '[') return readList(keys);
    else if (first === '{') readTable(keys);
    else {
      const start = at;
      skip(/[^,\]}\r\n#]*/y);
      at = start + text.slice(start, at).trimEnd().length;
      if (at === start) fail();
    }
    return null;
  };
  const readList = (keys: Keys): { start: number; end: number }[] => {
    const items: { start: number; end: number }[] = [];
    at += 1;
    for (;;) {
      blanksAndLines();
      if (text[at] === ']') {
        at += 1;
        return items;
      }
      const start = at;
      readValue([...keys, items.length]);
      items.push({ start, end: at });
      if (items.length > most) fail();
      blanksAndLines();
      if (text[at] === ',') at += 1;
      else if (text[at] !== ']') fail();
    }
  };
  const readTable = (keys: Keys): void => {
    at += 1;
    for (;;) {
      blanksAndLines();
      if (text[at] === '}') {
        at += 1;
        return;
      }
      readEntry(keys, true);
      blanksAndLines();
      if (text[at] === ',') at += 1;
      else if (text[at] !== '}') fail();
    }
  };

  let table: Keys = [];
  for (blanksAndLines(); at < text.length; blanksAndLines()) {
    if (text[at] !== '[') {
      readEntry(table, false);
      continue;
    }
    const isList = text.startsWith('[[', at);
    at += isList ? 2 : 1;
    blanks();
    const parts = readKey();
    blanks();
    if (!text.startsWith(isList ? ']]' : ']', at)) fail();
    at += isList ? 2 : 1;
    if (isList) {
      const keys = [...resolve(parts.slice(0, -1)), parts.at(-1) ?? ''];
      counts.set(JSON.stringify(keys), (counts.get(JSON.stringify(keys)) ?? 0) + 1);
    }
    table = resolve(parts);
  }
  return places;
}
