import type { Cause } from './findings.ts';
import { firstVariant, type LaterListing, type Variant } from './variants.ts';

/** Which circumstance made the difference, from what was the same and what was not when each was tried alone. */

function kindOf(variant: Variant): Cause['kind'] {
  const kinds: readonly Cause['kind'][] = [
    ...(variant.identity.name === firstVariant.identity.name ? [] : (['client'] as const)),
    ...(variant.clockDays === 0 ? [] : (['clock'] as const)),
    ...(Object.keys(variant.setVariables).length === 0 ? [] : (['ci'] as const)),
  ];
  return kinds.length === 1 ? (kinds[0] ?? 'several') : 'several';
}

/** `alone`: the single circumstances of the variant that were tried and made a difference too. */
export function causeOf(variant: Variant, alone: readonly Variant[]): readonly Cause[] {
  const found = alone.length === 0 ? [variant] : alone;
  return found.map((each) => ({ kind: kindOf(each), title: each.title }));
}

export function causeOfLater({ afterCalls, title }: LaterListing, isAnnounced: boolean): Cause {
  return { kind: afterCalls === 0 ? 'repeat' : 'calls', title, isAnnounced };
}
