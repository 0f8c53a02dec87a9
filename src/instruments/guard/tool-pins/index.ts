/** What servers may offer, as a person has seen it. */
export { type Asks, openAsks } from './asks.ts';
export type { Ask, ChangeKind, PinPlace } from './documents.ts';
export {
  approveHeld,
  forgetPins,
  type HeldChange,
  type HeldFilter,
  listHeld,
  listPinned,
  type PinnedPart,
  pinnedSubjects,
} from './held-changes.ts';
export { shownName } from './lines.ts';
export { openToolPins, type ToolPinsOptions } from './tool-pins.ts';
