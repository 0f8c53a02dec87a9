import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import * as der from '../../../../engine/net/certificates/der.ts';

/** For tests: RSA certificates as nobody should issue them any more. */

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface SampleOptions {
  readonly name: string;
  readonly bits: 1024 | 2048;
  readonly hash: 'sha1' | 'sha256';
  readonly days: readonly [from: number, to: number];
}

const signatureIds = { sha1: '1.2.840.113549.1.1.5', sha256: '1.2.840.113549.1.1.11' } as const;
const dayMs = 24 * 60 * 60 * 1000;

const nameOf = (text: string): Buffer => der.sequence(der.setOf(der.sequence(der.objectId('2.5.4.3'), der.utf8(text))));

function subjectNames(name: string): Buffer {
  const names = der.octets(der.sequence(der.tagged(2, Buffer.from(name, 'latin1'))));
  return der.wrapped(3, der.sequence(der.sequence(der.objectId('2.5.29.17'), names)));
}

export function makeSelfSigned({ name, bits, hash, days }: SampleOptions): Pair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const dateOf = (day: number): Buffer => der.time(new Date(Date.now() + day * dayMs));
  const algorithm = der.sequence(der.objectId(signatureIds[hash]), der.element(0x05));
  const body = der.sequence(
    der.wrapped(0, der.integer(Buffer.from([2]))),
    der.integer(Buffer.from([0x41, 0x42])),
    algorithm,
    nameOf(name),
    der.sequence(dateOf(days[0]), dateOf(days[1])),
    nameOf(name),
    spki(publicKey),
    subjectNames(name),
  );
  const bytes = der.sequence(body, algorithm, der.bits(sign(hash, body, privateKey)));
  return {
    cert: new X509Certificate(bytes).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
