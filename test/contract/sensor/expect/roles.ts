import type { Event } from '../../../../src/base/event-schema.ts';
import type { Programme } from './expectation.ts';

/**
 * Which pid plays which role. Pids on the host are not those in the box, so the program tells by what it does: a role
 * opens `SCRATCH/role-NAME`, or is a program whose first argument is `role-NAME`.
 */

function markerOf({ kind, fields }: Event, prefix: string): string | null {
  if (kind === 'open') {
    const { path } = fields;
    if (typeof path !== 'object' || path === null || Array.isArray(path) || typeof path.text !== 'string') return null;
    return path.text.startsWith(prefix) ? path.text.slice(prefix.length) : null;
  }
  if (kind !== 'exec' || !Array.isArray(fields.argv)) return null;
  const [, first] = fields.argv;
  if (typeof first !== 'object' || first === null || Array.isArray(first) || typeof first.text !== 'string')
    return null;
  return first.text.startsWith('role-') ? first.text.slice('role-'.length) : null;
}

export interface Roles {
  readonly pids: ReadonlyMap<string, number>;
  readonly misses: readonly string[];
}

export function findRoles(events: readonly Event[], { scratch, parents }: Programme): Roles {
  const pids = new Map<string, number>();
  const misses: string[] = [];
  for (const event of events) {
    const role = markerOf(event, `${scratch}/role-`);
    const pid = event.process?.pid;
    if (role === null || !(role in parents) || pid === undefined) continue;
    const known = pids.get(role);
    if (known === undefined) pids.set(role, pid);
    else if (known !== pid) misses.push(`role ${role} is played by pid ${known} and by pid ${pid}`);
  }
  for (const role of Object.keys(parents)) {
    if (!pids.has(role)) misses.push(`role ${role}: its first open or exec is missing, so nothing is known of it`);
  }
  const shared = [...pids].filter(([role, pid]) => [...pids].some(([other, its]) => other !== role && its === pid));
  if (shared.length > 0) {
    misses.push(`roles share a pid: ${shared.map(([role, pid]) => `${role} ${pid}`).join(', ')}`);
  }
  return { pids, misses };
}
