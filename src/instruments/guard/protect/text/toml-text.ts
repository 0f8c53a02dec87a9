import { parse } from 'smol-toml';
import { UsageError } from '../../../../base/errors.ts';
import type { Keys } from '../contract.ts';
import { type EditableText, showKeys } from './contract.ts';
import { scanToml, type TomlPlace } from './toml-scan.ts';

const quote = (word: string): string => JSON.stringify(word).replaceAll('\x7f', '\\u007f');

function isSame(left: Keys, right: Keys): boolean {
  return left.length === right.length && left.every((key, index) => String(key) === String(right[index]));
}

export function openTomlText(_path: string, text: string): EditableText {
  const value = parse(text);
  const places = scanToml(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';

  const placeAt = (keys: Keys): TomlPlace => {
    const found = places.find((place) => isSame(place.keys, keys));
    if (found === undefined) throw new UsageError(`there is no ${showKeys(keys)}`);
    return found;
  };
  const itemsAt = (keys: Keys) => {
    const { start, items } = placeAt(keys);
    if (items === undefined) throw new UsageError(`${showKeys(keys)} is no list`);
    return { start, items };
  };
  return {
    value,
    setText(keys, word) {
      const { start, end } = placeAt(keys);
      return { offset: start, length: end - start, text: quote(word) };
    },
    prepend(keys, words) {
      const { start, items } = itemsAt(keys);
      const [first] = items;
      const quoted = words.map(quote);
      if (first === undefined) return { offset: start + 1, length: 0, text: quoted.join(', ') };
      const lead = text.slice(start + 1, first.start);
      return /^\s*\n\s*$/.test(lead)
        ? { offset: start + 1, length: 0, text: quoted.map((word) => `${lead}${word},`).join('') }
        : { offset: first.start, length: 0, text: quoted.map((word) => `${word}, `).join('') };
    },
    removeFirst(keys, count) {
      const { items } = itemsAt(keys);
      const [first, last, next] = [items[0], items[count - 1], items[count]];
      if (first === undefined || last === undefined) throw new UsageError(`${showKeys(keys)} is too short`);
      const end = next?.start ?? last.end + (/^\s*,/.exec(text.slice(last.end))?.[0].length ?? 0);
      return { offset: first.start, length: end - first.start, text: '' };
    },
    addList(table, after, key, words) {
      const { keyStart, keyEnd, start, end, isInline } = placeAt([...table, after]);
      const written = text.slice(keyStart, keyEnd);
      const equals = text.slice(keyEnd, start);
      // The key may be written with the names of its tables before it.
      const prefix = /^[\s\S]*\.[ \t]*(?=[^.]*$)/.exec(written)?.[0] ?? '';
      const list = `${prefix}${key}${equals}[${words.map(quote).join(', ')}]`;
      if (isInline) return { offset: end, length: 0, text: `, ${list}` };
      const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
      const nextLine = text.indexOf('\n', end);
      const lineEnd = nextLine === -1 ? text.length : text[nextLine - 1] === '\r' ? nextLine - 1 : nextLine;
      return { offset: lineEnd, length: 0, text: `${eol}${text.slice(lineStart, keyStart)}${list}` };
    },
  };
}
