import type { Event } from '../../../../../base/event-schema.ts';
import { asArray, asNumber, asObject, asString } from '../../../../../base/json-shape.ts';
import { excerpt } from '../../../inspect/rule.ts';
import type { Oracle } from '../contract.ts';
import { fieldText, isLoopback, plainAddress } from '../event-text.ts';
import type { Look } from './contract.ts';

type RequestOracle = Extract<Oracle, { kind: 'request-to' }>;

function canonical(name: string | undefined): string | undefined {
  return name?.toLowerCase().replace(/\.$/, '');
}

/** Names and addresses that an event spoke to: not what stands in its path or body. */
function hostsOf({ fields }: Event): readonly (string | undefined)[] {
  const asked = asObject(fields.asked);
  return [
    canonical(fieldText(fields.host)),
    canonical(asString(asked.name)),
    plainAddress(asked.address),
    plainAddress(fields.address),
  ];
}

function portOf({ fields }: Event): number | undefined {
  return asNumber(fields.port) ?? asNumber(asObject(fields.asked).port);
}

function headerNames({ fields }: Event): readonly string[] {
  return asArray(fields.headers).map((header) => (asString(asArray(header)[0]) ?? '').toLowerCase());
}

const contacts = new Set<Event['kind']>(['connect', 'send-to', 'connection', 'http-request', 'tls-hello']);

function isContact(event: Event, { host, address, port }: RequestOracle): boolean {
  const hosts = hostsOf(event);
  if (host !== undefined && !hosts.includes(canonical(plainAddress(host)))) return false;
  if (address === 'loopback' && !hosts.some(isLoopback)) return false;
  return port === undefined || portOf(event) === port;
}

function asksFor({ kind, fields }: Event, { host, dns }: RequestOracle): boolean {
  if (kind !== 'dns-query' || dns !== true || host === undefined) return false;
  return asArray(fields.questions).some((question) => canonical(asString(asObject(question).name)) === canonical(host));
}

function isHit(event: Event, oracle: RequestOracle): boolean {
  if (asksFor(event, oracle)) return true;
  if (!contacts.has(event.kind) || !isContact(event, oracle)) return false;
  const { path, header } = oracle;
  if (path === undefined && header === undefined) return oracle.host !== undefined || oracle.address !== undefined;
  if (path !== undefined && !(fieldText(event.fields.path) ?? '').includes(path)) return false;
  return header === undefined || headerNames(event).includes(header.toLowerCase());
}

export const lookForRequest: Look<'request-to'> = (oracle, { events }) => {
  const hits = events.filter((event) => isHit(event, oracle));
  const [first] = hits;
  if (first === undefined) return null;
  const target = hostsOf(first).find((host) => host !== undefined) ?? oracle.host ?? '';
  const port = portOf(first);
  const what = oracle.header === undefined ? `${target}${port === undefined ? '' : `:${port}`}` : oracle.header;
  return {
    evidenceClass: 'A',
    events: hits.map(({ seq }) => seq),
    excerpt: excerpt(`${first.kind} ${what}`),
    because:
      oracle.header === undefined
        ? 'it went to a place that only the payload names'
        : 'its request had a header that only the payload names',
  };
};
