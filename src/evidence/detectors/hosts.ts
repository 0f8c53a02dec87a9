import { isIP } from 'node:net';
import type { Event } from '../../base/event-schema.ts';
import { listOf, numberOf, recordOf } from '../../engine/sensor/history/index.ts';
import { rawText } from './event-fields.ts';

/** Whom an event was about, and what sort of host that is. */

export function plainHost(value: unknown): string | undefined {
  const text = rawText(value)
    ?.toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');
  return text === undefined || text === '' || text.length > 253 ? undefined : text;
}

/** A name covers those below it. */
export function isCovered(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

/** `a.b.evil.example` and `c.evil.example` are one place. */
export function zoneOf(host: string): string {
  if (isIP(host) !== 0) return host;
  const labels = host.split('.');
  const isSecondLevel =
    /^(?:co|com|net|org|gov|ac|edu)$/.test(labels.at(-2) ?? '') && (labels.at(-1) ?? '').length === 2;
  return labels.slice(isSecondLevel ? -3 : -2).join('.');
}

const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;

/** An IPv4 address in the clothes of IPv6 is the same address. */
export function plainAddress(address: string): string {
  const [, dotted, high, low] = mapped.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/** Of this machine, of a private network, reserved, or one that the fake internet hands out for a name. */
const notPublic =
  /^(?:0|10|127)\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^192\.0\.[02]\.|^198\.1[89]\.|^198\.51\.100\.|^203\.0\.113\.|^(?:22[4-9]|2[345]\d)\.|^::1?$|^f[cd]|^fe[89ab]|^ff|^2001:db8:/;

export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !notPublic.test(plainAddress(address));
}

export interface Contact {
  readonly host: string;
  readonly port: number | null;
  /** It was spoken to by its address, and no name was asked for. */
  readonly isBare: boolean;
}

function askedContact({ kind, fields }: Event): Contact | null {
  const asked = recordOf(fields.asked);
  const port = numberOf(asked.port);
  const name = plainHost(asked.name) ?? (kind === 'tls-hello' ? plainHost(fields.serverName) : undefined);
  if (name !== undefined && isIP(name) === 0) return { host: name, port, isBare: false };
  const address = plainHost(asked.address);
  return address === undefined ? null : { host: plainAddress(address), port, isBare: true };
}

/** Empty where the event is about no host. */
export function contactsOf(event: Event): readonly Contact[] {
  const { kind, fields } = event;
  if (kind === 'dns-query') {
    return listOf(fields.questions)
      .slice(0, 16)
      .flatMap((question) => plainHost(recordOf(question).name) ?? [])
      .filter((host) => isIP(host) === 0)
      .map((host) => ({ host, port: null, isBare: false }));
  }
  if (kind === 'http-request' || kind === 'tls-hello' || kind === 'raw-bytes' || kind === 'connection') {
    if (kind === 'connection' && fields.state !== 'open' && fields.state !== 'refused') return [];
    const contact = askedContact(event);
    return contact === null ? [] : [contact];
  }
  if (kind === 'connect') {
    const address = fields.family === 'ipv4' || fields.family === 'ipv6' ? plainHost(fields.address) : undefined;
    return address === undefined ? [] : [{ host: plainAddress(address), port: numberOf(fields.port), isBare: true }];
  }
  return [];
}

const nameServicePorts = new Set([53, 853]);

/** A public address, spoken to directly for something else than a name. */
export function isBareAndPublic({ host, port, isBare }: Contact): boolean {
  return isBare && isPublicAddress(host) && port !== null && port !== 0 && !nameServicePorts.has(port);
}
