import type { ServerNode } from '../../../targets/ingest/client-config/shapes.ts';
import { readForm } from './entry-form.ts';
import { countGuardWords, isGuarded, isWrapped } from './guard-words.ts';
import type { EditableText } from './text/index.ts';
import { type EntryChange, left } from './wrap.ts';

/** The server's own command again, from what stands in the entry. */

/** @throws UsageError where the entry is written in a way that cannot be changed. */
export function unwrapEntry(
  node: ServerNode,
  document: EditableText,
  { servers }: { readonly servers?: readonly string[] },
): EntryChange {
  if (servers !== undefined && !servers.includes(node.name)) return left('not asked for');
  const form = readForm(node);
  const done = { change: { is: 'unwrapped' }, remarks: [] } as const;
  if (form.is !== 'apart' && form.is !== 'list') return left('it is no command');
  const { words } = form;
  const count = countGuardWords(words) ?? 0;
  if (!isWrapped(words)) {
    return left(isGuarded(words) ? 'protect did not write it' : 'it does not start through the guard');
  }
  if (form.is === 'list') {
    return { ...done, edits: [document.removeFirst(form.keys, count)], touched: [form.keys] };
  }
  const { argsKeys, programKeys } = form;
  if (argsKeys === null) return left('it does not start through the guard');
  return {
    ...done,
    // The program is no argument, and the server's own is one.
    edits: [document.setText(programKeys, words[count] ?? ''), document.removeFirst(argsKeys, count)],
    touched: [programKeys, argsKeys],
  };
}
