import { Command, CommanderError, Option } from 'commander';
import { exitCodes, UsageError } from '../../base/errors.ts';
import { findNearest } from '../../engine/policy/nearest.ts';
import { type SettingKey, settingKeys } from '../settings/definitions.ts';
import type { Flags } from '../settings/load.ts';
import { type CommandDefinition, describeCommand, type OptionDefinition } from './definition.ts';
import { commandSettings, settingOption, shorthands } from './global-options.ts';
import { renderExamples, renderExtraHelp, rootExamples } from './help.ts';
import type { Terminal } from './terminal/index.ts';

/** What the command line asked for, before anything was done. */
export interface Request {
  readonly command: CommandDefinition;
  readonly options: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  readonly flags: Flags;
}

/** Help was asked for, or a command was missing and help is the answer. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

function toOption(definition: OptionDefinition): Option {
  const option = new Option(definition.flags, definition.description);
  return definition.isRepeatable === true
    ? option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value])
    : option;
}

function readFlags(options: Readonly<Record<string, unknown>>): Flags {
  const flags: Partial<Record<SettingKey, string>> = {};
  for (const key of settingKeys) if (typeof options[key] === 'string') flags[key] = options[key];
  // `--no-color` stands as `color: false`, `--debug` as `debug: true`.
  if (options.color === false) flags.color = 'never';
  if (options.debug === true && flags.logLevel === undefined) flags.logLevel = 'debug';
  return flags;
}

/** commander says "error: …" and "(Did you mean …?)" in one text. */
function toUsageError(error: CommanderError, argv: readonly string[]): UsageError {
  const [first = '', ...rest] = error.message.split('\n');
  const suggestion = rest.join(' ').replace(/^\((.*)\)$/, '$1');
  const isStrangeFlag = error.code === 'commander.unknownOption' && argv[0] === 'box' && !argv.includes('--');
  const fallback = isStrangeFlag ? 'put -- before the command that runs in the box' : 'see hotcell --help';
  return new UsageError(first.replace(/^error: /, ''), { hint: suggestion || fallback });
}

export interface ProgramOptions {
  readonly version: string;
  readonly terminal: Terminal;
}

/** Help about the command itself is still ours; help about its first word is not. */
function openFlags(command: Command, argv: readonly string[]): void {
  command.allowUnknownOption().allowExcessArguments();
  const first = argv[argv.indexOf(command.name()) + 1];
  if (first !== undefined && !first.startsWith('-')) command.helpOption(false);
}

/** A flag that a command and its parent both have is taken by the parent wherever it stands: it is meant for both. */
function ownOptions(command: Command, all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = command.options.map((option) => option.attributeName()).filter((name) => all[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Flags of a command that has commands of its own are for it alone: for one of those they would mean nothing. */
function refuseStrayFlags(command: Command): void {
  const known = new Set([...settingKeys, ...command.options.map((option) => option.attributeName())]);
  for (let parent = command.parent; parent?.parent; parent = parent.parent) {
    const stray = parent.options.find((option) => {
      const name = option.attributeName();
      return parent?.getOptionValueSource(name) === 'cli' && !known.has(name);
    });
    if (stray === undefined) continue;
    throw new UsageError(`${stray.long} is a flag of ${nameOf(parent)} itself, not of ${nameOf(command)}`, {
      hint: `see ${nameOf(command)} --help`,
    });
  }
}

/** It does something by itself, so commander takes the name of a command that there is not for a word too many. */
function refuseStrayWord(command: Command): void {
  const [word] = command.args;
  if (word === undefined) return;
  const nearest = findNearest(
    word,
    command.commands.map((each) => each.name()),
  );
  throw new UsageError(`${nameOf(command)} has no command ${word}`, {
    hint: nearest === null ? `see ${nameOf(command)} --help` : `did you mean ${nearest}?`,
  });
}

function build(
  commands: readonly CommandDefinition[],
  options: ProgramOptions & { readonly argv: readonly string[] },
  found: (request: Request) => void,
  print: (text: string) => void,
) {
  const { style, width } = options.terminal;
  const program: Command = new Command('hotcell')
    .description('A sealed room for untrusted software: see everything, touch nothing.')
    .version(options.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: (command) =>
        command.parent === null ? [] : program.options.filter(({ hidden }) => !hidden),
      helpWidth: Number.isFinite(width) ? width : 100,
      styleTitle: style.strong,
      styleCommandText: style.code,
    });
  for (const key of settingKeys) if (!commandSettings.includes(key)) program.addOption(toOption(settingOption(key)));
  for (const shorthand of shorthands) program.addOption(toOption(shorthand));

  const add = (parent: Command, definition: CommandDefinition): void => {
    const command = parent.command(definition.name).summary(definition.summary);
    command.description(describeCommand(definition));
    for (const argument of definition.arguments ?? []) command.argument(argument.name, argument.description);
    for (const key of definition.settings ?? []) command.addOption(toOption(settingOption(key)));
    for (const option of definition.options ?? []) command.addOption(toOption(option));
    command.addHelpText('after', () => renderExtraHelp(definition, options.terminal));
    if (definition.hasOpenFlags === true) openFlags(command, options.argv);
    for (const child of definition.subcommands ?? []) add(command, child);
    if (definition.run === undefined) return;
    const hasOnlyCommands = definition.subcommands !== undefined && definition.arguments === undefined;
    if (hasOnlyCommands) command.allowExcessArguments();
    command.action(() => {
      refuseStrayFlags(command);
      if (hasOnlyCommands) refuseStrayWord(command);
      const all = command.optsWithGlobals<Record<string, unknown>>();
      found({ command: definition, options: ownOptions(command, all), words: command.args, flags: readFlags(all) });
    });
  };
  for (const definition of commands) add(program, definition);
  program.addHelpText('after', () => renderExamples(rootExamples, options.terminal));
  const settle = (command: Command): void => {
    command
      .exitOverride()
      .configureOutput({ writeOut: print, writeErr: print, outputError: () => {}, getOutHasColors: () => true });
    for (const child of command.commands) settle(child);
  };
  settle(program);
  return program;
}

/** @throws UsageError for a command line that cannot be understood. */
export function parseCommandLine(
  argv: readonly string[],
  commands: readonly CommandDefinition[],
  options: ProgramOptions,
): Request | Printed {
  let request: Request | undefined;
  let printed = '';
  const program = build(
    commands,
    { ...options, argv },
    (asked) => {
      request = asked;
    },
    (text) => {
      printed += text;
    },
  );
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text: printed, exitCode: exitCodes.clean };
    if (error.code === 'commander.help') return { text: printed, exitCode: exitCodes.usage };
    throw toUsageError(error, argv);
  }
  return request ?? { text: printed, exitCode: exitCodes.usage };
}
