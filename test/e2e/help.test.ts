import { describe, expect, it } from 'vitest';
import { commands } from '../../src/doors/cli/commands/index.ts';
import type { CommandDefinition } from '../../src/doors/cli/definition.ts';
import { parseCommandLine } from '../../src/doors/cli/program.ts';
import { describeTerminal } from '../../src/doors/cli/terminal/index.ts';
import { hotcell } from './hotcell.ts';

function flatten(
  list: readonly CommandDefinition[],
  parents: readonly string[] = [],
): readonly (readonly [string, CommandDefinition])[] {
  return list.flatMap((command) => {
    const words = [...parents, command.name];
    return [[words.join(' '), command] as const, ...flatten(command.subcommands ?? [], words)];
  });
}

const all = flatten(commands);
const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

/** Enough of a shell for our own examples: words, quotes, redirections, leading variables. */
function splitWords(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const own = words.slice(words.indexOf('hotcell') + 1);
  return own.filter((word, at) => !word.startsWith('>') && own[at - 1] !== '>');
}

describe('help', () => {
  it.each(all)('hotcell %s --help has examples', (name, command) => {
    const ran = hotcell([...name.split(' '), '--help']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`Usage: hotcell ${name}`);
    for (const example of command.examples) expect(ran.stdout).toContain(example.line);
    expect(command.examples.length).toBeGreaterThan(0);
  });

  it.each(all.flatMap(([, command]) => command.examples.map((example) => [example.line] as const)))(
    'the example «%s» is a command line that is understood',
    (line) => {
      const parsed = parseCommandLine(splitWords(line), commands, { version: '0', terminal });
      expect(parsed).toHaveProperty('command');
    },
  );

  it('has every command in the first help', () => {
    const { stdout } = hotcell(['--help']);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command.name}\\b`, 'm'));
  });
});
