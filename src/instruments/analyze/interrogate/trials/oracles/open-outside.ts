import type { Event } from '../../../../../base/event-schema.ts';
import { excerpt } from '../../../inspect/rule.ts';
import { isAt, pathOf } from '../event-text.ts';
import type { Look } from './contract.ts';

function isOpen({ kind, fields, outcome }: Event, attempt: boolean): boolean {
  if (kind !== 'open' || fields.access === 'none') return false;
  return attempt || outcome === 'ok' || outcome === undefined;
}

/** Looking a path up to refuse it is not opening it. */
export const lookForOpen: Look<'open-outside'> = ({ path, attempt = false }, { events }) => {
  const hits = events.filter((event) => isOpen(event, attempt) && isAt(pathOf(event.fields.path), path));
  const [first] = hits;
  if (first === undefined) return null;
  return {
    evidenceClass: 'B',
    events: hits.map(({ seq }) => seq),
    excerpt: excerpt(pathOf(first.fields.path) ?? path),
    because: 'it opened a path that lies outside and that only the payload names',
  };
};
