import { commands } from '../../src/doors/cli/commands/index.ts';
import { type CommandDefinition, describeCommand } from '../../src/doors/cli/definition.ts';
import { commandSettings, settingOption, shorthands } from '../../src/doors/cli/global-options.ts';
import { commonExits } from '../../src/doors/cli/help.ts';
import { settingKeys } from '../../src/doors/settings/index.ts';
import { type Page, table, titled } from './page.ts';

function usage(name: string, command: CommandDefinition): string {
  const words = (command.arguments ?? []).map((argument) => argument.name);
  const isVariadic = words.some((word) => word.includes('...'));
  const hasOptions = (command.options ?? []).length + (command.settings ?? []).length > 0;
  return [name, ...(hasOptions ? ['[options]'] : []), ...(isVariadic ? ['--'] : []), ...words].join(' ');
}

function section(command: CommandDefinition, parents: readonly string[]): string {
  const name = ['hotcell', ...parents, command.name].join(' ');
  const options = [...(command.settings ?? []).map(settingOption), ...(command.options ?? [])];
  const parts = [
    `${'#'.repeat(parents.length + 2)} ${name}`,
    describeCommand(command),
    command.run === undefined ? '' : `\`\`\`text\n${usage(name, command)}\n\`\`\``,
    (command.arguments ?? []).length === 0
      ? ''
      : table(
          ['argument', 'meaning'],
          (command.arguments ?? []).map((entry) => [`\`${entry.name}\``, entry.description]),
        ),
    options.length === 0
      ? ''
      : table(
          ['option', 'meaning'],
          options.map((entry) => [`\`${entry.flags}\``, entry.description]),
        ),
    `\`\`\`sh\n${command.examples.map((example) => `${example.line}  # ${example.says}`).join('\n')}\n\`\`\``,
    command.exits === undefined
      ? ''
      : table(
          ['exit code', 'when'],
          command.exits.map((exit) => [exit.code, exit.when]),
        ),
  ];
  const children = (command.subcommands ?? []).map((child) => section(child, [...parents, command.name]));
  return [...parts.map((part) => part.trim()), ...children].filter((part) => part !== '').join('\n\n');
}

export const commandsPage: Page = {
  path: 'docs/reference/commands.md',
  render() {
    const globals = [
      ...settingKeys.filter((key) => !commandSettings.includes(key)).map(settingOption),
      ...shorthands,
      { flags: '-h, --help', description: 'help for a command, with examples' },
      { flags: '-V, --version', description: 'print the version' },
    ];
    const body = [
      '## Every command',
      table(
        ['option', 'meaning'],
        globals.map((entry) => [`\`${entry.flags}\``, entry.description]),
      ).trim(),
      table(
        ['exit code', 'when'],
        commonExits.map((exit) => [exit.code, exit.when]),
      ).trim(),
      ...commands.map((command) => section(command, [])),
    ];
    return titled('Commands', body.join('\n\n'));
  },
};
