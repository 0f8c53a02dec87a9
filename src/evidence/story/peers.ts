import { isIP } from 'node:net';
import type { Event } from '../../base/event-schema.ts';
import { type AddressBook, listOf, numberOf, recordOf, textOf } from '../../engine/sensor/history/index.ts';

/** With whom an event of the network was about. */
export interface Peer {
  readonly host: string;
  readonly port: number | null;
  readonly protocol: string;
  /** What it counts as. */
  readonly is: 'request' | 'connection' | 'name' | 'sign';
}

const nameServerPort = 53;
const mostNames = 16;
const ownAddress = /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^(?:::1$|f[cd])/;

export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function askedOf({ fields }: Event, book: AddressBook): { readonly host: string | null; readonly port: number | null } {
  const asked = recordOf(fields.asked);
  const address = textOf(asked.address) ?? textOf(fields.address);
  const name = textOf(asked.name) ?? (address === null ? null : book.nameOf(address));
  const host = name === null || name === '' ? address : plainName(name);
  return { host, port: numberOf(asked.port) ?? numberOf(fields.port) };
}

/** Names are what is asked for; that the name server was spoken to says nothing more. */
function namesOf({ fields }: Event): readonly Peer[] {
  return listOf(fields.questions)
    .slice(0, mostNames)
    .flatMap((question) => {
      const host = plainName(textOf(recordOf(question).name) ?? '');
      return host === '' ? [] : [{ host, port: null, protocol: 'dns', is: 'name' as const }];
    });
}

function isNameServer(host: string, port: number | null): boolean {
  return port === nameServerPort && ownAddress.test(host);
}

function one(event: Event, book: AddressBook, protocol: string, is: Peer['is']): readonly Peer[] {
  const { host, port } = askedOf(event, book);
  // A system's resolver sorts addresses by connecting to port 0: nothing is sent.
  if (host === null || host === '' || port === 0 || isNameServer(host, port)) return [];
  return [{ host, port, protocol, is }];
}

/** A name that was said inside a connection to a bare address is the better name. */
function named(peers: readonly Peer[], name: unknown): readonly Peer[] {
  const said = plainName((textOf(name) ?? '').replace(/:\d+$/, ''));
  return peers.map((peer) => (said !== '' && isIP(peer.host) !== 0 ? { ...peer, host: said } : peer));
}

/** The airlock knocks on this machine's own door to show that sensors are awake. */
function isAirlock({ process }: Event): boolean {
  return textOf(process?.argv?.[1]) === '/run/airlock';
}

export function peersOf(event: Event, book: AddressBook): readonly Peer[] {
  const { kind, fields } = event;
  if (isAirlock(event)) return [];
  const transport = textOf(fields.transport) === 'udp' ? 'udp' : 'tcp';
  switch (kind) {
    case 'dns-query':
      return namesOf(event);
    case 'http-request':
      return named(one(event, book, fields.isInsideTls === true ? 'https' : 'http', 'request'), fields.host);
    case 'tls-hello':
      return named(one(event, book, fields.isQuic === true ? 'quic' : 'tls', 'sign'), fields.serverName);
    case 'raw-bytes':
      return one(event, book, textOf(fields.protocol) ?? transport, 'sign');
    case 'connection':
      return fields.state === 'closed' ? [] : one(event, book, transport, 'connection');
    case 'connect':
    case 'send-to':
      return fields.family === 'ipv4' || fields.family === 'ipv6' ? one(event, book, '', 'sign') : [];
    default:
      return [];
  }
}

/** Which host a leak went to: `host:port`, or `name zone` for what was hidden in names. Null when it stayed here. */
export function leakHost({ fields }: Event): { readonly host: string; readonly isZone: boolean } | null {
  const via = textOf(fields.via) ?? '';
  if (via.startsWith('name ')) return { host: plainName(via.slice('name '.length)), isZone: true };
  const match = /^(\S+):\d{1,5}$/.exec(via);
  return match?.[1] === undefined ? null : { host: plainName(match[1]), isZone: false };
}
