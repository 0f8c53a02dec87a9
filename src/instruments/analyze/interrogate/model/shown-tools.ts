import { boundValue } from '../../../../targets/conversation/bound-value.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import type { Knowledge } from '../arguments/index.ts';
import { positionsOf } from '../arguments/index.ts';

/** What a model gets to see of a tool: its name, what it says of itself, and its schema, each cut to a size. */

export interface ShownTool {
  readonly name: string;
  /** Top-level names that it takes. */
  readonly parameters: ReadonlySet<string>;
  readonly shown: { readonly name: string; readonly description: string; readonly inputSchema: unknown };
}

const longestName = 128;
const longestDescription = 2000;
const schemaBounds = { depth: 8, values: 300, characters: 5000 };
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u;
const allUnseen = new RegExp(unseen.source, 'gu');

function parametersOf(tool: ListedTool, knowledge: Knowledge): ReadonlySet<string> {
  const names = positionsOf(tool, knowledge).map(({ path }) => path[0]);
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** Null for a name that no answer would repeat as it is. */
export function showTool(tool: ListedTool, knowledge: Knowledge): ShownTool | null {
  const { name, description = '', inputSchema } = tool;
  if (name === '' || name.length > longestName || unseen.test(name)) return null;
  return {
    name,
    parameters: parametersOf(tool, knowledge),
    shown: {
      name,
      description: description.slice(0, longestDescription),
      inputSchema: boundValue(inputSchema ?? {}, schemaBounds),
    },
  };
}

/** As JSON in one line, in which every character can be seen. */
export function jsonOfTools(tools: readonly ShownTool[]): string {
  const text = JSON.stringify(tools.map(({ shown }) => shown));
  return text.replace(allUnseen, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16).padStart(4, '0'))
      .map((code) => `\\u${code}`)
      .join(''),
  );
}
