import type { Event } from '../../../../../base/event-schema.ts';
import { excerpt } from '../../../inspect/rule.ts';
import { pathOf } from '../event-text.ts';
import type { Look } from './contract.ts';

function madePath(event: Event): string | undefined {
  const { kind, fields, outcome } = event;
  if (outcome !== undefined && outcome !== 'ok') return undefined;
  if (kind === 'open') return fields.creates === true ? pathOf(fields.path) : undefined;
  if (kind === 'mkdir') return pathOf(fields.path);
  if (kind === 'rename' || kind === 'link') return pathOf(fields.to);
  if (kind === 'disk-change') return fields.change === 'removed' ? undefined : pathOf(fields.path);
  return undefined;
}

/** Exactly the path: a file of the server whose name happens to hold the payload is another one. */
export const lookForFile: Look<'file-marker'> = ({ path }, { events, newFiles }) => {
  const making = events.filter((event) => madePath(event) === path);
  if (making.length === 0 && !newFiles.some((file) => pathOf(file) === path)) return null;
  return {
    evidenceClass: 'A',
    events: making.map(({ seq }) => seq),
    excerpt: excerpt(path),
    because: 'a file came to be that only the payload, carried out, makes',
  };
};
