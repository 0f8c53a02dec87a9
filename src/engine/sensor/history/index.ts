/** The public face of looking back at a run. */
export { AddressBook, type Peer, peerOf } from './address-book.ts';
export { commandOf } from './command.ts';
export { parseCompleteness, type RunCompleteness, readCompleteness, whyIncomplete } from './completeness.ts';
export type { DeedGroup } from './deed.ts';
export type { DeedCount, Deeds } from './deeds.ts';
export { type Entry, EventFile, eventFileName } from './event-file.ts';
export { bytesOf, firstText, listOf, numberOf, recordOf, textOf } from './field-text.ts';
export { type EventFilter, everything, isWanted } from './filter.ts';
export { isHarmlessDevice, isLookup, type PathSort, sortPath } from './ordinary-path.ts';
export { type PlacedNode, type ProcessNode, ProcessTree, walkTree } from './process-tree.ts';
export { type LeakEnds, Trails } from './trails.ts';
