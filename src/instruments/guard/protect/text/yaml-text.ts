import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLSeq } from 'yaml';
import { UsageError } from '../../../../base/errors.ts';
import type { Keys } from '../contract.ts';
import { type EditableText, showKeys } from './contract.ts';

/** YAML in block and in flow style. Anchors, aliases and tags say more than one place: what has them is left alone. */

// A text of JSON is a text of YAML, but for a few characters that YAML does not print.
const quote = (word: string): string =>
  JSON.stringify(word).replace(
    /[\x7f-\x9f\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function rangeOf(node: Node, keys: Keys): readonly [number, number] {
  if (isAlias(node) || node.tag !== undefined || ('anchor' in node && node.anchor !== undefined)) {
    throw new UsageError(`${showKeys(keys)} has an anchor, an alias or a tag`);
  }
  if (node.range === null || node.range === undefined) throw new UsageError(`${showKeys(keys)} has no place`);
  return [node.range[0], node.range[1]];
}

export function openYamlText(_path: string, text: string): EditableText {
  const document = parseDocument(text, { logLevel: 'error' });
  const [problem] = document.errors;
  if (problem !== undefined) throw new UsageError(`not valid YAML: ${problem.code}`);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';

  const nodeAt = (keys: Keys): Node => {
    let node: unknown = document.contents;
    for (const [depth, key] of keys.entries()) {
      if (isAlias(node) || !isCollection(node))
        throw new UsageError(`${showKeys(keys.slice(0, depth))} is written elsewhere`);
      if (node.anchor !== undefined) throw new UsageError(`${showKeys(keys.slice(0, depth))} has an anchor`);
      node = node.get(key, true);
    }
    if (node === undefined || node === null) throw new UsageError(`there is no ${showKeys(keys)} of its own`);
    return node as Node;
  };
  const lineStart = (offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = (offset: number): number => {
    const end = text.indexOf('\n', offset);
    if (end === -1) return text.length;
    return text[end - 1] === '\r' ? end - 1 : end;
  };
  /** Blanks up to the column of a place; what stands before it on its line is not repeated. */
  const indentOf = (offset: number): string => text.slice(lineStart(offset), offset).replace(/[^ \t]/g, ' ');
  const listAt = (keys: Keys): { node: YAMLSeq; start: number; end: number } => {
    const node = nodeAt(keys);
    if (!isSeq(node)) throw new UsageError(`${showKeys(keys)} is no list`);
    const [start, end] = rangeOf(node, keys);
    return { node, start, end };
  };
  const startOf = (item: unknown, keys: Keys): number => rangeOf(item as Node, keys)[0];

  return {
    value: document.toJS({ maxAliasCount: 100 }),
    setText(keys, word) {
      const node = nodeAt(keys);
      const [start, end] = rangeOf(node, keys);
      if (!isScalar(node) || /^[|>]/.test(text.slice(start, end)) || text.slice(start, end).includes('\n')) {
        throw new UsageError(`${showKeys(keys)} goes over several lines`);
      }
      return { offset: start, length: end - start, text: quote(word) };
    },
    prepend(keys, words) {
      const { node, start } = listAt(keys);
      const quoted = words.map(quote);
      if (node.flow !== true) {
        return { offset: start, length: 0, text: quoted.map((word) => `- ${word}${eol}${indentOf(start)}`).join('') };
      }
      const [first] = node.items;
      if (first === undefined) return { offset: start + 1, length: 0, text: quoted.join(', ') };
      return { offset: startOf(first, keys), length: 0, text: quoted.map((word) => `${word}, `).join('') };
    },
    removeFirst(keys, count) {
      const { node, start, end } = listAt(keys);
      const [first, last, next] = [node.items[0], node.items[count - 1], node.items[count]];
      if (first === undefined || last === undefined) throw new UsageError(`${showKeys(keys)} is too short`);
      if (next === undefined) {
        if (node.flow !== true) return { offset: start, length: rangeOf(last as Node, keys)[1] - start, text: '[]' };
        const after = rangeOf(last as Node, keys)[1];
        const comma = /^\s*,/.exec(text.slice(after, end))?.[0].length ?? 0;
        return { offset: startOf(first, keys), length: after + comma - startOf(first, keys), text: '' };
      }
      if (node.flow === true)
        return { offset: startOf(first, keys), length: startOf(next, keys) - startOf(first, keys), text: '' };
      const dash = text.lastIndexOf('-', startOf(next, keys) - 1);
      return { offset: start, length: dash - start, text: '' };
    },
    addList(table, after, key, words) {
      const map = nodeAt(table);
      if (!isMap(map)) throw new UsageError(`${showKeys(table)} is no table`);
      const pair = map.items.find((item) => isScalar(item.key) && item.key.value === after);
      if (pair === undefined || !isScalar(pair.key)) throw new UsageError(`there is no ${showKeys([...table, after])}`);
      const [, end] = rangeOf(pair.value as Node, [...table, after]);
      const list = `${key}: [${words.map(quote).join(', ')}]`;
      if (map.flow === true) return { offset: end, length: 0, text: `, ${list}` };
      return { offset: lineEnd(end), length: 0, text: `${eol}${indentOf(rangeOf(pair.key, table)[0])}${list}` };
    },
  };
}
