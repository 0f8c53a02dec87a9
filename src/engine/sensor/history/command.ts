import type { Event } from '../../../base/event-schema.ts';
import { listOf, textOf } from './field-text.ts';

const ordinaryWord = /^[\w@%+=:,./~-]+$/;
const mostWords = 64;
const mostCharacters = 1000;

function quoteWord(word: string): string {
  return ordinaryWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What was started, as one would type it. Safe for a terminal, and cut where nobody reads on. */
export function commandOf(event: Event): string | null {
  const own = event.kind === 'exec' ? listOf(event.fields.argv) : [];
  const argv: readonly unknown[] = own.length > 0 ? own : (event.process?.argv ?? []);
  const words = argv.slice(0, mostWords).map((word) => quoteWord(textOf(word) ?? '?'));
  const command = words.join(' ') + (argv.length > mostWords ? ` (${argv.length - mostWords} words more)` : '');
  if (command !== '') return command.slice(0, mostCharacters);
  return (event.kind === 'exec' ? textOf(event.fields.path) : null) ?? textOf(event.process?.name);
}
