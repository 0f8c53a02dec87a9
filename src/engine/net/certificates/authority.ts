import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls';
import { addressBytes } from '../addresses.ts';
import { type KeyPair, makeAuthorityCertificate, makeServerCertificate } from './certificate.ts';

/** The certificate authority of one run, which the box trusts and nobody else. */
export interface Authority {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const namePrefix = 'Trust Services Root ';

export function createAuthority(): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = `${namePrefix}${randomBytes(4).toString('hex').toUpperCase()}`;
  return {
    certificatePem: makeAuthorityCertificate(name, keys),
    keyPem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const hostPattern = /^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

/** Lower case, or null where it is no name that a certificate could carry. */
export function certificateHost(host: string): string | null {
  const lower = host.toLowerCase().replace(/\.$/, '');
  if (addressBytes(lower) !== null) return lower;
  return lower.length <= 253 && hostPattern.test(lower) ? lower : null;
}

const mostContexts = 1000;

/** Old and odd clients are spoken to as well: hearing them is the point. */
const tolerance = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

/** Makes server certificates on demand and keeps the ones used last. All share one key: making keys is the slow part. */
export class CertificateMaker {
  readonly #authorityPem: string;
  readonly #authority: { readonly name: string; readonly keys: KeyPair };
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #keyPem = this.#keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  readonly #contexts = new Map<string, SecureContext>();

  constructor(authority: Authority) {
    const privateKey = createPrivateKey(authority.keyPem);
    const { subject } = new X509Certificate(authority.certificatePem);
    this.#authorityPem = authority.certificatePem;
    this.#authority = {
      name: subject.replace(/^CN=/, ''),
      keys: { privateKey, publicKey: createPublicKey(privateKey) },
    };
  }

  certificateFor(hosts: readonly string[]): string {
    return makeServerCertificate(hosts, this.#keys.publicKey, this.#authority);
  }

  contextFor(hosts: readonly string[]): SecureContext {
    const key = hosts.join(' ');
    const known = this.#contexts.get(key);
    if (known !== undefined) {
      this.#contexts.delete(key);
      this.#contexts.set(key, known);
      return known;
    }
    const context = createSecureContext({ ...tolerance, ...this.#pairFor(hosts) });
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size >= mostContexts && oldest !== undefined) this.#contexts.delete(oldest);
    this.#contexts.set(key, context);
    return context;
  }

  #pairFor(hosts: readonly string[]): { readonly cert: string; readonly key: string } {
    return { cert: this.certificateFor(hosts) + this.#authorityPem, key: this.#keyPem };
  }

  /** For a TLS server; a client that names its host gets a context that was made before. */
  optionsFor(hosts: readonly string[], isHostNamed: boolean): TlsOptions {
    if (!isHostNamed) return { ...tolerance, ...this.#pairFor(hosts) };
    return { ...tolerance, SNICallback: (_, give) => give(null, this.contextFor(hosts)) };
  }
}
