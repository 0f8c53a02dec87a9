import type { Event } from '../../../../../base/event-schema.ts';
import { excerpt } from '../../../inspect/rule.ts';
import { argvOf, programOf } from '../event-text.ts';
import type { Look } from './contract.ts';

/**
 * A word is read as an option when nothing before it ends the options and it is not the value of another one. Which
 * options take a value is not known here, so a word behind any of them is left to the other oracles.
 */
function isRead(argv: readonly string[], option: string): boolean {
  const at = argv.indexOf(option, 1);
  if (at === -1 || argv.slice(1, at).includes('--') || argv.slice(1, at).includes('--end-of-options')) return false;
  const before = argv[at - 1] ?? '';
  return at === 1 || !before.startsWith('-') || before.includes('=');
}

function names(event: Event, programs: readonly string[]): boolean {
  const [name = ''] = argvOf(event);
  return programs.includes(programOf(event)) || programs.includes(name.split('/').at(-1) ?? '');
}

export const lookForOption: Look<'argv-option'> = ({ option, programs }, { events }) => {
  const hits = events.filter(
    (event) => event.kind === 'exec' && names(event, programs) && isRead(argvOf(event), option),
  );
  const [first] = hits;
  if (first === undefined) return null;
  return {
    evidenceClass: 'A',
    events: hits.map(({ seq }) => seq),
    excerpt: excerpt(argvOf(first).join(' ')),
    because: 'the value became an option of a program',
  };
};
