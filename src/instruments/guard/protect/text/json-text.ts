import { type Node, parseTree } from 'jsonc-parser';
import { UsageError } from '../../../../base/errors.ts';
import { readDocument } from '../../../../targets/ingest/client-config/document.ts';
import type { Keys } from '../contract.ts';
import { type EditableText, showKeys } from './contract.ts';

/** JSON with or without comments and trailing commas. */

function propertyOf(table: Node, key: string | number, keys: Keys): Node {
  const found = (table.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  // Programs differ in which of two they take: whatever was changed, some would not see it.
  if (found.length > 1) throw new UsageError(`the key ${showKeys(keys)} stands there twice`);
  const [property] = found;
  if (property === undefined) throw new UsageError(`there is no ${showKeys(keys)}`);
  return property;
}

function nodeAt(root: Node | undefined, keys: Keys): Node {
  let node = root;
  for (const [depth, key] of keys.entries()) {
    const so = keys.slice(0, depth + 1);
    if (node?.type === 'object') node = propertyOf(node, key, so).children?.[1];
    else if (node?.type === 'array') node = node.children?.[Number(key)];
    else node = undefined;
    if (node === undefined) throw new UsageError(`there is no ${showKeys(so)}`);
  }
  if (node === undefined) throw new UsageError('the file is empty');
  return node;
}

function listAt(root: Node | undefined, keys: Keys): Node {
  const node = nodeAt(root, keys);
  if (node.type !== 'array') throw new UsageError(`${showKeys(keys)} is no list`);
  return node;
}

const quote = (word: string): string => JSON.stringify(word);

export function openJsonText(path: string, text: string): EditableText {
  const { value } = readDocument(path, text);
  const root = parseTree(text, [], { allowTrailingComma: true });
  return {
    value,
    setText(keys, word) {
      const { offset, length } = nodeAt(root, keys);
      return { offset, length, text: quote(word) };
    },
    prepend(keys, words) {
      const { offset, children = [] } = listAt(root, keys);
      const [first] = children;
      const quoted = words.map(quote);
      if (first === undefined) return { offset: offset + 1, length: 0, text: quoted.join(', ') };
      const lead = text.slice(offset + 1, first.offset);
      // One word per line, where that is how the list is written.
      return /^\s*\n\s*$/.test(lead)
        ? { offset: offset + 1, length: 0, text: quoted.map((word) => `${lead}${word},`).join('') }
        : { offset: first.offset, length: 0, text: quoted.map((word) => `${word}, `).join('') };
    },
    removeFirst(keys, count) {
      const { children = [] } = listAt(root, keys);
      const [first, last, next] = [children[0], children[count - 1], children[count]];
      if (first === undefined || last === undefined) throw new UsageError(`${showKeys(keys)} is too short`);
      const after = last.offset + last.length;
      const end = next?.offset ?? after + (/^\s*,/.exec(text.slice(after))?.[0].length ?? 0);
      return { offset: first.offset, length: end - first.offset, text: '' };
    },
    addList(table, after, key, words) {
      const { offset, length, children = [] } = propertyOf(nodeAt(root, table), after, [...table, after]);
      const [name, content] = children;
      if (name === undefined || content === undefined)
        throw new UsageError(`${showKeys([...table, after])} has no value`);
      const line = /\r?\n[ \t]*$/.exec(text.slice(0, offset))?.[0];
      const colon = text.slice(name.offset + name.length, content.offset);
      const list = `${quote(key)}${/^\s*:\s*$/.test(colon) ? colon : ': '}[${words.map(quote).join(', ')}]`;
      return { offset: offset + length, length: 0, text: `,${line ?? ' '}${list}` };
    },
  };
}
