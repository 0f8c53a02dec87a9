import { UsageError } from '../../base/errors.ts';

const plain = /^[A-Za-z0-9_./:@%+,-]+$/;

/** One word for a POSIX shell. Nothing but the quote itself is special between single quotes. */
export function quoteArgument(argument: string): string {
  if (argument.includes('\0')) throw new UsageError('an argument cannot hold a zero byte');
  return plain.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

export function quoteCommand(argv: readonly string[]): string {
  return argv.map(quoteArgument).join(' ');
}
