/** The public face of what is remembered of servers between runs. */

export type { Pin, PinnedListing } from '../../../targets/pins/contract.ts';
export { makePin, pinSubject } from '../../../targets/pins/make-pin.ts';
export { pinPath, readPin, writePin } from '../../../targets/pins/pin-file.ts';
export { checkPin, comparePin, type PinComparison, pinToKeep } from './compare-pin.ts';
