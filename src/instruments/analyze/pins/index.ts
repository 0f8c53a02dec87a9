/** The public face of what is remembered of servers between runs. */
export { checkPin, comparePin, type PinComparison, pinToKeep } from './compare-pin.ts';
export type { Pin, PinnedListing } from './contract.ts';
export { makePin, pinSubject } from './make-pin.ts';
export { pinPath, readPin, writePin } from './pin-file.ts';
