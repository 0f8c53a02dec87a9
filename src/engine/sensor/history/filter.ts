import type { Event, EventKind, Phase } from '../../../base/event-schema.ts';
import { textOf } from './field-text.ts';

/** Which events are wanted. An empty list wants all; several wishes must all hold. */
export interface EventFilter {
  readonly kinds: readonly EventKind[];
  readonly pids: readonly number[];
  readonly calls: readonly string[];
  readonly phases: readonly Phase[];
  readonly path?: string;
  readonly source?: string;
}

export const everything: EventFilter = { kinds: [], pids: [], calls: [], phases: [] };

const pathFields = ['path', 'from', 'to', 'cwd', 'url'] as const;

function hasPath({ fields }: Event, part: string): boolean {
  return pathFields.some((key) => {
    const value = fields[key];
    if (textOf(value)?.includes(part)) return true;
    // What is spelled out on the screen may be typed as it really is.
    return typeof value === 'object' && value !== null && 'text' in value && String(value.text).includes(part);
  });
}

const wants = <T>(wanted: readonly T[], value: T | undefined): boolean =>
  wanted.length === 0 || (value !== undefined && wanted.includes(value));

export function isWanted(event: Event, { kinds, pids, calls, phases, path, source }: EventFilter): boolean {
  // Signs of life of the sensors are no deeds of the target.
  if (event.kind === 'heartbeat' && !kinds.includes('heartbeat')) return false;
  return (
    wants(kinds, event.kind) &&
    wants(pids, event.process?.pid) &&
    wants(calls, event.call) &&
    wants(phases, event.phase) &&
    (source === undefined || event.source === source) &&
    (path === undefined || hasPath(event, path))
  );
}
