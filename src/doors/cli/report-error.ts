import { describeError, exitCodes, isKnownError } from '../../base/errors.ts';
import type { Style } from './terminal/index.ts';

export interface ErrorReport {
  readonly text: string;
  readonly exitCode: number;
}

/** `hotcell: what went wrong`, a line with what to do about it, and the stack when it is asked for or nobody foresaw it. */
export function reportError(error: unknown, style: Style, isDebug: boolean): ErrorReport {
  const isKnown = isKnownError(error);
  const message = isKnown && error instanceof Error ? error.message : describeError(error);
  const head = `${style.bad('hotcell:')} ${isKnown ? '' : 'internal error: '}${message}\n`;
  const hint = isKnown ? error.hint : 'run again with --debug for a stack trace';
  const hintPart = hint === undefined || (isDebug && !isKnown) ? '' : `${indent(hint)}\n`;
  const stack = isDebug && error instanceof Error && error.stack !== undefined ? `${style.faint(error.stack)}\n` : '';
  return { text: head + hintPart + stack, exitCode: isKnown ? error.exitCode : exitCodes.internal };
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
