import type { Node } from 'web-tree-sitter';
import type { SeenCommand } from './contract.ts';
import { readWord } from './words.ts';

/** Every command of a line, wherever it stands: in subshells, functions, substitutions, loops. */

const modes: Readonly<Record<string, SeenCommand['redirects'][number]['mode']>> = {
  '<': 'read',
  '<&': 'read',
  '>>': 'append',
  '&>>': 'append',
};
const substitutionTypes: ReadonlySet<string> = new Set(['command_substitution', 'expansion', 'process_substitution']);

export function seeCommands(nodes: readonly Node[]): readonly SeenCommand[] {
  const commands = nodes.filter(({ type }) => type === 'command').map(seeCommand);
  const redirects = nodes.filter(({ type }) => type === 'file_redirect').map(seeRedirect);
  return [...commands, ...redirects];
}

function seeCommand(node: Node): SeenCommand {
  const words = node.children.filter(
    (child) => child.isNamed && !child.type.endsWith('_redirect') && child.type !== 'variable_assignment',
  );
  return { argv: words.map((word) => readWord(word).text), redirects: [] };
}

function seeRedirect(node: Node): SeenCommand {
  const operator = node.children.find((child) => !child.isNamed)?.type ?? '';
  const target = node.childForFieldName('destination');
  if (target === null) return { argv: [], redirects: [] };
  return { argv: [], redirects: [{ mode: modes[operator] ?? 'write', path: readWord(target).text }] };
}

export function hasSubstitution(nodes: readonly Node[]): boolean {
  return nodes.some(({ type }) => substitutionTypes.has(type));
}

/** A function that calls itself more than once, or in the background: it doubles until nothing is left. */
export function hasForkBomb(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.type !== 'function_definition') return false;
    const name = node.childForFieldName('name')?.text;
    const body = node.childForFieldName('body');
    if (name === undefined || body === null) return false;
    const calls = body.descendantsOfType('command').filter((each) => each.childForFieldName('name')?.text === name);
    return calls.length > 1 || (calls.length === 1 && /&(?!&)/.test(body.text));
  });
}

/** True when a word stands in a command as an option of ours; its place in the line is given too. */
export function placesOf(
  nodes: readonly Node[],
  word: string,
): readonly { readonly from: number; readonly to: number }[] {
  return nodes
    .filter((node) => node.type === 'word' && node.parent?.type === 'command' && node.text === word)
    .map(({ startIndex, endIndex }) => ({ from: startIndex, to: endIndex }));
}
