import type { Socket } from 'node:net';
import type { Policy } from '../../../base/policy-schema.ts';
import { allowsConnection } from '../../policy/network.ts';
import { addressBytes } from '../addresses.ts';
import { keepBytes, type NetEventKind } from '../event.ts';
import type { Details } from '../listener.ts';
import { lookAtFirstBytes } from '../stream/first-bytes.ts';
import { effectiveHost } from './effective-host.ts';
import { type Greeting, isSameHost, isWholeGreeting, longestGreeting } from './greeting.ts';

/** What the box says first is recorded, and held against what it was allowed. */

export interface Objection {
  readonly because: 'unreadable-hello' | 'another-server-name';
  readonly detail: string;
}

/** A name for an address without one has to be listed itself: the address may serve many. */
function isServerNameFine(policy: Policy, serverName: string, host: string, port: number): boolean {
  if (isSameHost(serverName, host)) return true;
  const named = effectiveHost(serverName);
  return addressBytes(host) !== null && named !== null && allowsConnection(policy, named, port);
}

/** Why the first words of the box must not get through; null when they may. */
export function objectTo(greeting: Greeting, policy: Policy, host: string, port: number): Objection | null {
  if (greeting.is === 'unreadable-tls') {
    return { because: 'unreadable-hello', detail: 'it begins as TLS does, and its server name cannot be read' };
  }
  const serverName = greeting.is === 'tls' ? greeting.hello.serverName : null;
  if (serverName === null || isServerNameFine(policy, serverName, host, port)) return null;
  const detail = `${host} was allowed, and the hello is for ${JSON.stringify(serverName.slice(0, 253))}`;
  return { because: 'another-server-name', detail };
}

/** Waits for the first words of the box for as long as the connection lasts; a server may well speak before it. */
export async function hearGreeting(box: Socket, timeoutMs: number): Promise<Buffer> {
  for (;;) {
    const bytes = await lookAtFirstBytes(box, isWholeGreeting, { timeoutMs, capBytes: longestGreeting });
    if (bytes.length > 0 || box.destroyed || box.readableEnded) return bytes;
  }
}

export function describeGreeting(
  greeting: Greeting,
  bytes: Buffer,
  keptBytes: number,
): readonly [NetEventKind, Details] {
  const kept = keepBytes(bytes, keptBytes);
  if (greeting.is === 'tls') {
    const { serverName, alpn, version, ciphers, extensions } = greeting.hello;
    return ['tls-hello', { fields: { isReadable: true, serverName, alpn, version, ciphers, extensions }, bytes: kept }];
  }
  if (greeting.is === 'unreadable-tls') return ['tls-hello', { fields: { isReadable: false }, bytes: kept }];
  if (greeting.is === 'other') return ['raw-bytes', { fields: { direction: 'from-box' }, bytes: kept }];
  const { method, path, host } = greeting;
  return ['http-request', { fields: { method, path, host, isWhole: false }, bytes: kept }];
}
