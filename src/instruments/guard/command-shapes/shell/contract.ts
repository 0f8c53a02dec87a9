/** A line as a shell reads it, before anything in it is expanded or run. */

export interface ShellWord {
  /** What the word comes to; variables stay as they are written. */
  readonly value: string;
  /** For each character of the value whether it was written bare (`b`), quoted (`q`) or stands for a variable (`v`). */
  readonly kinds: string;
  /** Commands whose output becomes part of it, as they are written. */
  readonly inner: readonly string[];
  /** Names of variables in it. */
  readonly variables: readonly string[];
}

export interface Redirection {
  readonly operator: string;
  readonly target: ShellWord;
  /** The text between the marks of a here-document. */
  readonly body?: string;
}

export type Token =
  | { readonly is: 'word'; readonly word: ShellWord }
  | { readonly is: 'operator'; readonly text: string }
  | { readonly is: 'redirection'; readonly redirection: Redirection };

export interface SimpleCommand {
  readonly assignments: readonly ShellWord[];
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  /** Index of the command whose output it reads. */
  readonly readsFrom: number | null;
}

export interface ParsedLine {
  readonly commands: readonly SimpleCommand[];
  readonly problems: readonly string[];
}

export const mostCommands = 512;
export const mostWords = 8192;
