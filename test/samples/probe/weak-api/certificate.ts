import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import {
  type KeyPair,
  makeAuthorityCertificate,
  makeServerCertificate,
} from '../../../../src/engine/net/certificates/certificate.ts';
import * as der from '../../../../src/engine/net/certificates/der.ts';
import { weakTls } from './planted.ts';

export interface Tls {
  readonly options: TlsOptions;
  readonly authorityPem: string | null;
}

const pemOf = ({ privateKey }: KeyPair): string => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Signed by itself with SHA-1, and over since 2020. */
function weakCertificate({ publicKey, privateKey }: KeyPair): string {
  const sha1WithRsa = der.sequence(der.objectId('1.2.840.113549.1.1.5'), der.element(0x05));
  const name = der.sequence(der.setOf(der.sequence(der.objectId('2.5.4.3'), der.utf8(weakTls.subject))));
  const body = der.sequence(
    der.wrapped(0, der.integer(Buffer.from([2]))),
    der.integer(Buffer.from([7])),
    sha1WithRsa,
    name,
    der.sequence(der.time(new Date('2019-01-01T00:00:00Z')), der.time(new Date('2020-01-01T00:00:00Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  return new X509Certificate(der.sequence(body, sha1WithRsa, der.bits(sign('sha1', body, privateKey)))).toString();
}

export function weakTlsOptions(): Tls {
  const keys = generateKeyPairSync('rsa', { modulusLength: weakTls.keyBits });
  const options: TlsOptions = {
    key: pemOf(keys),
    cert: weakCertificate(keys),
    minVersion: 'TLSv1',
    ciphers: 'ALL:@SECLEVEL=0',
  };
  return { options, authorityPem: null };
}

/** Signed by an authority that nobody knows yet: whoever scans it has to be given `authorityPem`. */
export function soundTlsOptions(hosts: readonly string[]): Tls {
  const name = 'Smithy Test Authority';
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authorityPem = makeAuthorityCertificate(name, authority);
  const options: TlsOptions = {
    key: pemOf(keys),
    cert: makeServerCertificate(hosts, keys.publicKey, { name, keys: authority }),
    minVersion: 'TLSv1.2',
    ciphers:
      'TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256',
    honorCipherOrder: true,
  };
  return { options, authorityPem };
}
