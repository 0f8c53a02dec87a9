import type { Completeness, Event, EventKind } from '../../base/event-schema.ts';
import type { NetEvent, NetEventKind, WireCompleteness } from '../net/index.ts';
import type { SensorDescription, Sighting } from './contract.ts';

/** The sensor `wire`: what the network of a box saw, as events like all others. */

export const wireSource = 'wire';

export const wire: SensorDescription = {
  id: wireSource,
  title: 'what the fake internet or the egress gate of a box saw',
  backends: ['gvisor', 'runc', 'bwrap'],
  sees: [
    'dns-query',
    'dns-answer',
    'http-request',
    'http-response',
    'tls-hello',
    'raw-bytes',
    'connection',
    'limit-hit',
    'leak',
  ],
  cannot: [
    {
      id: 'pinned-tls',
      path: '',
      what: 'the inside of TLS whose client accepts only a certificate it knows',
      effect: 'open',
    },
    {
      id: 'quic',
      path: '',
      what: 'the inside of QUIC: the name in its first packet is seen, and nothing is answered',
      effect: 'open',
    },
    { id: 'gate-tls', path: '', what: 'the inside of TLS that passes the egress gate', effect: 'open' },
  ],
};

/** Kinds of the network that have no kind of their own here say what they are in a field. */
const kinds: Readonly<Record<NetEventKind, readonly [kind: EventKind, extra?: Event['fields']]>> = {
  'dns-query': ['dns-query'],
  'dns-answer': ['dns-answer'],
  'http-request': ['http-request'],
  'http-response': ['http-response'],
  'tls-hello': ['tls-hello'],
  'tls-failure': ['tls-hello', { isRefused: true }],
  'quic-hello': ['tls-hello', { isQuic: true }],
  'raw-bytes': ['raw-bytes'],
  smtp: ['raw-bytes', { protocol: 'smtp' }],
  'connection-open': ['connection', { state: 'open' }],
  'connection-close': ['connection', { state: 'closed' }],
  'limit-hit': ['limit-hit'],
  'egress-allowed': ['connection', { state: 'allowed' }],
  'egress-refused': ['connection', { state: 'refused' }],
  'egress-failed': ['connection', { state: 'failed' }],
};

export function wireSighting(event: NetEvent): Sighting {
  const { kind: netKind, at, transport, connection, peer, asked, isInsideTls, fields, bytes } = event;
  const [kind, extra = {}] = kinds[netKind];
  return {
    kind,
    at: { monotonicNs: at.monotonicNs, wall: new Date(at.wallMs).toISOString() },
    fields: {
      ...extra,
      ...(fields as Event['fields']),
      transport,
      connection,
      peer: { ...peer },
      asked: { ...asked },
      ...(isInsideTls ? { isInsideTls } : {}),
      ...(bytes === undefined ? {} : { bytes: keptField(bytes) }),
    },
    ...(bytes !== undefined && bytes.droppedBytes > 0 ? { truncated: ['bytes'] } : {}),
  };
}

function keptField({ base64, droppedBytes }: NonNullable<NetEvent['bytes']>): Event['fields'][string] {
  return droppedBytes > 0 ? { base64, droppedBytes } : { base64 };
}

/** The network is there before the box and gone after it, so it is attached from the beginning. */
export function wireCompleteness(end: WireCompleteness): Completeness {
  const { counts, diedAtMs, missing, received } = end;
  return {
    source: wireSource,
    attachedBeforeExec: true,
    received,
    dropped: missing + (counts?.droppedDatagrams ?? 0) + (counts?.problems ?? 0),
    merged: 0,
    truncated: 0,
    missingPoints: [],
    heartbeats: { expected: 0, seen: 0 },
    ...(diedAtMs === null ? {} : { diedAt: new Date(diedAtMs).toISOString() }),
  };
}
