import { exitCodes } from '../../base/errors.ts';
import type { CommandDefinition, Example } from './definition.ts';
import { renderRows, type Terminal } from './terminal/index.ts';

/** What every command may end with, beside what it says itself. */
export const commonExits = [
  { code: String(exitCodes.clean), when: 'done' },
  { code: String(exitCodes.usage), when: 'the command line, a setting or a policy cannot be understood' },
  { code: String(exitCodes.noIsolation), when: 'no isolation available: nothing was run' },
  { code: String(exitCodes.internal), when: 'Hotcell or this machine failed' },
] as const;

/** Where to begin. */
export const rootExamples: readonly Example[] = [
  { line: 'hotcell doctor', says: 'what this machine can do' },
  {
    line: 'hotcell analyze npm:some-server',
    says: 'let an MCP server loose in a box: does it harm, can it be made to?',
  },
  { line: 'hotcell scan', says: 'look at the MCP servers that are configured here, without running them' },
  { line: 'hotcell box -- id', says: 'run one command in a box' },
  { line: 'hotcell box --watch -- npx some-server', says: 'and see everything it does' },
  { line: 'hotcell policy explain LOW', says: 'what that box allows' },
  { line: 'hotcell box --help', says: 'every command has examples' },
];

export function renderExamples(examples: readonly Example[], { style, width }: Terminal): string {
  const rows = examples.map(({ line, says }) => [style.code(line), says]);
  return `\n${style.strong('Examples:')}\n${renderRows(rows, { width })}`;
}

/** Examples and exit codes, below what commander prints. */
export function renderExtraHelp(definition: CommandDefinition, terminal: Terminal): string {
  const examples = renderExamples(definition.examples, terminal);
  const exits = (definition.exits ?? []).map((exit) => [exit.code, exit.when]);
  if (exits.length === 0) return examples;
  return `${examples}\n${terminal.style.strong('Exit codes:')}\n${renderRows(exits, { width: terminal.width })}`;
}
