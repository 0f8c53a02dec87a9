/**
 * The three kinds of failure. Whose fault it is decides what happens next: a UsageError is explained to the caller,
 * a TargetError becomes data in the report, a HostError stops the work.
 */

/** What every command of Hotcell ends with. */
export const exitCodes = {
  clean: 0,
  findings: 1,
  usage: 2,
  incomplete: 3,
  noIsolation: 4,
  internal: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface ErrorDetails {
  /** What the reader can do about it: one sentence or command. */
  readonly hint?: string;
  /** A word for programs, such as FILE_NOT_FOUND, where callers tell failures apart. */
  readonly code?: string;
  readonly cause?: unknown;
}

abstract class HotcellError extends Error {
  abstract readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly code: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.hint = details.hint;
    this.code = details.code;
  }
}

/** The caller asked for something that cannot be done as asked. */
export class UsageError extends HotcellError {
  readonly exitCode = exitCodes.usage;
}

/** The thing under study misbehaved. Never a crash of ours. */
export class TargetError extends HotcellError {
  readonly exitCode = exitCodes.incomplete;
}

/** This machine, or Hotcell itself, failed. */
export class HostError extends HotcellError {
  readonly exitCode: ExitCode;

  constructor(message: string, details: ErrorDetails & { readonly exitCode?: ExitCode } = {}) {
    super(message, details);
    this.exitCode = details.exitCode ?? exitCodes.internal;
  }
}

export type KnownError = UsageError | TargetError | HostError;

export function isKnownError(error: unknown): error is KnownError {
  return error instanceof HotcellError;
}

/** The message of anything that was thrown, on one line. */
export function describeError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
}
