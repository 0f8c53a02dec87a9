import { excerpt } from '../../../inspect/rule.ts';
import { argvOf, pathOf, programOf } from '../event-text.ts';
import type { Look } from './contract.ts';

/**
 * The program itself was started, and has the marker as a word of its own. A program of the server that is handed the
 * payload as a word has the payload there, and no marker.
 */
export const lookForExec: Look<'exec-marker'> = ({ program, argument }, { events }) => {
  const started = events.filter((event) => {
    if (event.kind !== 'exec') return false;
    const [name = '', ...words] = argvOf(event);
    if (programOf(event) !== program && name.split('/').at(-1) !== program) return false;
    return argument === undefined || words.some((word) => pathOf(word) === argument);
  });
  const [first] = started;
  if (first === undefined) return null;
  return {
    evidenceClass: 'A',
    events: started.map(({ seq }) => seq),
    excerpt: excerpt(argvOf(first).join(' ')),
    because: `an injected ${argument === undefined ? 'program name' : program} was executed`,
  };
};
