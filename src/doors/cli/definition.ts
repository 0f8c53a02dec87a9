import type { Readable, Writable } from 'node:stream';
import type { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { Caller, LoadedSettings, SettingKey } from '../settings/index.ts';
import type { Terminal } from './terminal/index.ts';

/** A command is one file that exports one definition, and one line in commands/index.ts. Help and docs come from it. */

export interface OptionDefinition {
  /** As commander reads it: `--json`, `--time <ms>`. */
  readonly flags: string;
  readonly description: string;
  /** May be given more than once; the values are collected. */
  readonly isRepeatable?: boolean;
}

export interface ArgumentDefinition {
  /** `<file>` is needed, `[file]` is not, `<command...>` takes all that is left. */
  readonly name: string;
  readonly description: string;
}

export interface Example {
  readonly line: string;
  readonly says: string;
}

export interface ExitDefinition {
  readonly code: string;
  readonly when: string;
}

/** What a command may use of the outside. */
export interface Door {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly isInteractive: boolean;
  /** The words of the command line after `--`; they are the last of the command's words too. */
  readonly trailing: readonly string[];
  /** Aborted when the reader of our output has gone away. */
  readonly readerGone: AbortSignal;
  readonly caller: Caller;
  readonly settings: LoadedSettings;
  /** How text for stdout and for stderr is to look. */
  readonly terminal: Terminal;
  readonly errorTerminal: Terminal;
}

export interface CommandDefinition {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** Settings that are flags of this command; the others are flags of every command. */
  readonly settings?: readonly SettingKey[];
  readonly examples: readonly Example[];
  /** Exit codes, where they are not simply 0 or an error. */
  readonly exits?: readonly ExitDefinition[];
  /** Its flags depend on its first word: they are handed over among the words, `--help` after that word too. */
  readonly hasOpenFlags?: boolean;
  readonly subcommands?: readonly CommandDefinition[];
  run?(options: Readonly<Record<string, unknown>>, words: readonly string[], door: Door): Promise<number>;
}

type Described = Omit<CommandDefinition, 'run' | 'subcommands'>;

export interface TypedDefinition<Input> extends Described {
  /** The options as commander hands them over; what it accepts is what `run` gets. */
  readonly input: z.ZodType<Input>;
  run(input: Input, words: readonly string[], door: Door): Promise<number>;
}

/** Ties a command's options to the types its `run` sees. */
export function defineCommand<Input>(definition: TypedDefinition<Input>): CommandDefinition {
  const { input, run, ...described } = definition;
  return {
    ...described,
    run: async (options, words, door) => {
      const read = input.safeParse(options);
      if (read.success) return run(read.data, words, door);
      const [issue] = read.error.issues;
      const flag = String(issue?.path[0] ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      throw new UsageError(`--${flag}: ${issue?.message ?? 'it does not fit'}`, {
        hint: `hotcell … ${definition.name} --help says what may stand there`,
      });
    },
  };
}

/** The description; a summary alone becomes a sentence. */
export function describeCommand({ summary, description }: CommandDefinition): string {
  return description ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
