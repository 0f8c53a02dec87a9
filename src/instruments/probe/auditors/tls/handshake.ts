import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { secondMs } from '../../../../base/limits.ts';
import { AuditFailure, failureOf } from '../client/failure.ts';
import { lenientTls } from '../client/index.ts';
import type { Peer } from './offer.ts';

/** A whole handshake, for what only comes with it: the certificate, the protocol on top, a stapled answer. */

export interface HandshakeOptions extends Peer {
  readonly serverName: string;
  /** In place of the authorities that Node knows. */
  readonly authorities?: readonly string[];
}

export interface Handshake {
  readonly version: string;
  readonly suite: string;
  /** The server's first. */
  readonly chain: readonly X509Certificate[];
  /** A word of Node, such as `CERT_HAS_EXPIRED`; null where the chain leads to an authority. */
  readonly chainError: string | null;
  readonly protocol: string | null;
  readonly isStapled: boolean;
}

const handshakeMs = 10 * secondMs;
const longestChain = 8;

function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next: unknown = socket.getPeerCertificate(true);
  const seen = new Set<string>();
  while (chain.length < longestChain && typeof next === 'object' && next !== null && 'raw' in next) {
    const certificate = new X509Certificate(next.raw as Buffer);
    if (seen.has(certificate.fingerprint256)) break;
    seen.add(certificate.fingerprint256);
    chain.push(certificate);
    next = 'issuerCertificate' in next ? next.issuerCertificate : undefined;
  }
  return chain;
}

function chainErrorOf({ authorized, authorizationError }: TLSSocket): string | null {
  if (authorized) return null;
  const given: unknown = authorizationError;
  const code = given instanceof Error && 'code' in given ? String(given.code) : String(given);
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : 'UNKNOWN';
}

export function shakeHands({ address, port, serverName, authorities }: HandshakeOptions): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    let isStapled = false;
    const at = `${address}:${port}`;
    const socket = connect({
      ...lenientTls,
      ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
      host: address,
      port,
      ...(authorities === undefined ? {} : { ca: [...authorities] }),
      requestOCSP: true,
      ALPNProtocols: ['h2', 'http/1.1'],
      // The name is compared afterwards: here it would hide what else is wrong with the chain.
      checkServerIdentity: () => undefined,
      ...(serverName === '' ? {} : { servername: serverName }),
    });
    const timer = setTimeout(() => {
      reject(new AuditFailure('timeout', `no TLS handshake within ${handshakeMs} ms: ${at}`));
      socket.destroy();
    }, handshakeMs);
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(failureOf(error, at));
      socket.destroy();
    };
    socket.once('OCSPResponse', (response: Buffer | null) => {
      isStapled = response !== null && response.length > 0;
    });
    socket.on('error', fail);
    socket.once('close', () => fail(new AuditFailure('closed', `closed during the TLS handshake: ${at}`)));
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      try {
        resolve({
          version: socket.getProtocol() ?? 'unknown',
          suite: socket.getCipher().standardName ?? socket.getCipher().name,
          chain: chainOf(socket),
          chainError: chainErrorOf(socket),
          protocol: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : null,
          isStapled,
        });
      } catch (error) {
        fail(new AuditFailure('garbage', `the certificate cannot be read: ${at}`, { cause: error }));
      }
      socket.destroy();
    });
  });
}
