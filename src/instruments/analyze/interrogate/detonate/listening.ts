import type { Event } from '../../../../base/event-schema.ts';

/** Where programs in the box wait for connections, as the kernel saw it. */

export interface Bound {
  readonly address: string;
  readonly port: number;
}

export function boundAddresses(events: readonly Event[]): readonly Bound[] {
  const bound = events.flatMap(({ kind, fields, outcome }): Bound[] => {
    if (kind !== 'bind' || outcome === 'failed' || outcome === 'denied') return [];
    const { address, port } = fields;
    return typeof address === 'string' && typeof port === 'number' && port > 0 ? [{ address, port }] : [];
  });
  return [...new Map(bound.map((each) => [`${each.address} ${each.port}`, each])).values()];
}

export function listeningPorts(events: readonly Event[]): readonly number[] {
  return [...new Set(boundAddresses(events).map(({ port }) => port))];
}
