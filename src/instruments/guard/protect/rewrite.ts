import { describeError, UsageError } from '../../../base/errors.ts';
import { readDocument } from '../../../targets/ingest/client-config/document.ts';
import { findServers, type ServerNode } from '../../../targets/ingest/client-config/shapes.ts';
import type { Keys, Rewritten, ServerReport, TextEdit, WrapOptions } from './contract.ts';
import { readForm } from './entry-form.ts';
import { countGuardWords, isWrapped } from './guard-words.ts';
import { type EditableText, openText } from './text/index.ts';
import { unwrapEntry } from './unwrap.ts';
import { compareExcept } from './verify.ts';
import { type EntryChange, left, wrapEntry } from './wrap.ts';

/** A whole text, changed where its servers are and nowhere else. Whatever cannot be shown to be right is refused. */

type ChangeEntry = (node: ServerNode, document: EditableText) => EntryChange;

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((one, other) => one.offset - other.offset || one.length - other.length);
  let out = '';
  let at = 0;
  for (const { offset, length, text: inserted } of ordered) {
    if (offset < at) throw new UsageError('two servers are written in the same place');
    out += text.slice(at, offset) + inserted;
    at = offset + length;
  }
  return out + text.slice(at);
}

/** The same server may be found under two names of its list. */
function nodesIn(value: unknown): readonly ServerNode[] {
  const nodes = new Map(findServers(value).servers.map((node) => [JSON.stringify(node.keys), node]));
  return [...nodes.values()];
}

function tryChange(change: ChangeEntry, node: ServerNode, document: EditableText): EntryChange {
  try {
    return change(node, document);
  } catch (error) {
    if (error instanceof UsageError) return left(describeError(error));
    throw error;
  }
}

function rewrite(path: string, whole: string, change: ChangeEntry, isUndo: boolean): Rewritten {
  const mark = whole.startsWith('\ufeff') ? '\ufeff' : '';
  const text = whole.slice(mark.length);
  const { problems } = readDocument(path, text);
  const [problem] = problems;
  if (problem !== undefined) {
    const where = problem.line === undefined ? '' : `line ${problem.line}: `;
    return { is: 'refused', why: `${where}${problem.what}`, servers: [] };
  }
  let servers: readonly ServerReport[] = [];
  try {
    const document = openText(path, text);
    const nodes = nodesIn(document.value);
    const changes = nodes.map((node) => ({ node, ...tryChange(change, node, document) }));
    servers = changes.map(({ node, change: done, remarks }) => ({
      name: node.name,
      keys: node.keys.map(String),
      change: done,
      remarks,
    }));
    const edits = changes.flatMap((one) => one.edits);
    if (edits.length === 0) return { is: 'same', servers };
    const after = applyEdits(text, edits);
    const changed = changes.filter((one) => one.edits.length > 0);
    verify(path, { before: document.value, after }, changed, isUndo);
    return { is: 'changed', text: mark + after, servers };
  } catch (error) {
    if (error instanceof UsageError) return { is: 'refused', why: describeError(error), servers };
    throw error;
  }
}

interface Changed {
  readonly node: ServerNode;
  readonly touched: readonly Keys[];
}

/** Everything else is as it was, and each server that was wrapped is, unwrapped, the one it was. */
function verify(
  path: string,
  { before, after }: { readonly before: unknown; readonly after: string },
  changed: readonly Changed[],
  isUndo: boolean,
): void {
  const { value, problems } = readDocument(path, after);
  if (problems.length > 0) throw new UsageError('the changed file could not be read again');
  compareExcept(
    before,
    value,
    changed.flatMap(({ touched }) => touched),
  );
  const nodes = nodesIn(value);
  for (const { node } of changed) {
    const other = nodes.find(({ keys }) => JSON.stringify(keys) === JSON.stringify(node.keys));
    const [outer, inner] = isUndo ? [node, other] : [other, node];
    const [unwrapped, plain] = [
      outer === undefined ? null : ownCommand(outer),
      inner === undefined ? null : plainCommand(inner),
    ];
    if (unwrapped === null || JSON.stringify(unwrapped) !== JSON.stringify(plain)) {
      throw new UsageError(`the command of ${node.name} would not be the same`);
    }
  }
}

function plainCommand(node: ServerNode): readonly string[] | null {
  const form = readForm(node);
  return form.is === 'apart' || form.is === 'list' ? form.words : null;
}

/** What stands behind the guard's words. */
function ownCommand(node: ServerNode): readonly string[] | null {
  const words = plainCommand(node) ?? [];
  return isWrapped(words) ? words.slice(countGuardWords(words) ?? words.length) : null;
}

export function wrapText(path: string, text: string, options: WrapOptions): Rewritten {
  return rewrite(path, text, (node, document) => wrapEntry(node, document, options), false);
}

export function unwrapText(
  path: string,
  text: string,
  options: { readonly servers?: readonly string[] } = {},
): Rewritten {
  return rewrite(path, text, (node, document) => unwrapEntry(node, document, options), true);
}
