import { DrivenConversation, type DriveOptions } from './driven-conversation.ts';
import { type HttpEnds, HttpWire } from './http-wire.ts';

/** A conversation with a server that listens for HTTP, in whichever form it does. */
export function openHttpConversation(ends: HttpEnds, options: DriveOptions): DrivenConversation {
  return new DrivenConversation((limits) => new HttpWire(ends, limits), options);
}
