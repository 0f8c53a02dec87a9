import { DrivenConversation, type DriveOptions } from './driven-conversation.ts';
import { type StdioEnds, StdioWire } from './stdio-wire.ts';

/** A conversation with a server that reads its standard input; whoever started the process ends it. */
export function openStdioConversation(ends: StdioEnds, options: DriveOptions): DrivenConversation {
  return new DrivenConversation((limits) => new StdioWire(ends, limits), options);
}
