import type { UntrustedText } from '../../../base/untrusted.ts';
import type { Canary } from '../canary.ts';
import type { Encoding } from './patterns.ts';

/** A canary that was seen where it must not be. */
export interface Hit {
  readonly canary: Canary;
  /** What was done to it, outermost first; empty when it left as it is. */
  readonly chain: readonly Encoding[];
  /** In the stream: of the canary itself, or of the encoded region that it was in. */
  readonly offset: number;
  /** The canary with its surroundings, at the innermost layer that had to be decoded. */
  readonly excerpt: UntrustedText;
}

export interface StreamHit extends Hit {
  readonly stream: string;
}

/** What a report keeps of a hit: enough to check it by hand, and not a second copy of the whole stream. */
export interface LeakProof {
  readonly canary: string;
  readonly vendor: string;
  readonly kind: string;
  readonly planted: string;
  readonly stream: string;
  readonly offset: number;
  readonly encodings: readonly Encoding[];
  /** One sentence without anything from the target in it. */
  readonly summary: string;
  readonly excerpt: UntrustedText;
}

export function proveLeak({ canary, chain, offset, stream, excerpt }: StreamHit): LeakProof {
  const how = chain.length === 0 ? 'as it is' : chain.join(' of ');
  return {
    canary: canary.id,
    vendor: canary.vendor,
    kind: canary.kind,
    planted: canary.planted,
    stream,
    offset,
    encodings: chain,
    summary: `${canary.id}, planted as ${canary.planted}, left ${how} at byte ${offset}`,
    excerpt,
  };
}
