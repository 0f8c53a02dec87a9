/** The public face of asking again under other circumstances. */

export {
  asComparison,
  type CompareOptions,
  compareListings,
  type ListingChange,
  type ListingDifference,
  type Weight,
} from '../../../../targets/listings/compare.ts';
export { causeOf, causeOfLater } from './cause.ts';
export {
  type ClockLibrary,
  clockLibraries,
  clockVariableNames,
  clockVariables,
  type FindLibrary,
  findSystemLibrary,
} from './clock.ts';
export { type Cause, type CauseKind, type ComparedListing, listingFindings } from './findings.ts';
export { listingRules } from './rules.ts';
export {
  echoesOf,
  findVariant,
  firstVariant,
  isolate,
  type LaterListing,
  laterListings,
  plannedVariants,
  type Variant,
  variantEnvironment,
  variants,
  variantVariables,
  withoutClock,
} from './variants.ts';
