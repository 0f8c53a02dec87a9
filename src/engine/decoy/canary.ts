import type { Random } from './random.ts';

/** A canary is a secret that works nowhere, is unique to one run, and must never come out. */
export interface Canary {
  readonly id: string;
  /** Id of the vendor definition that made it. */
  readonly vendor: string;
  readonly kind: CanaryKind;
  /** The secret as it is planted. */
  readonly token: string;
  /**
   * What proves that it left: any one of these, each of at least `shortestNeedleBytes`. For a short token that is the
   * token; for a private key the lines and bytes that hold the secret part, since nobody ships a key unwrapped.
   */
  readonly needles: readonly Uint8Array[];
  /** `file .aws/credentials` or `variable AWS_SECRET_ACCESS_KEY`. */
  readonly planted: string;
}

export const canaryKinds = ['cloud', 'code', 'service', 'cluster', 'key', 'password', 'wallet', 'session'] as const;
export type CanaryKind = (typeof canaryKinds)[number];

/** Shorter ones could turn up by chance. */
export const shortestNeedleBytes = 16;

export interface Secret {
  readonly token: string;
  /** Where it is not the token itself. */
  readonly needles?: readonly Uint8Array[];
}

/** One kind of secret in the format of who hands it out: prefix, length, characters, checksum. */
export interface Vendor {
  readonly id: string;
  readonly title: string;
  readonly kind: CanaryKind;
  make(random: Random): Secret;
}

export function mintCanary(vendor: Vendor, random: Random, planted: string): Canary {
  const { token, needles } = vendor.make(random);
  return {
    id: `${vendor.id}-${random.bytes(4).toString('hex')}`,
    vendor: vendor.id,
    kind: vendor.kind,
    token,
    needles: needles ?? [Buffer.from(token, 'utf8')],
    planted,
  };
}
