/** The public face of talking to a server that may be hostile. */
export type { ClientSide } from './client-side.ts';
export { type DiscoverOptions, discoverEndpoint, type Endpoint, usualPaths } from './discover-endpoint.ts';
export { DrivenConversation, type DriveOptions } from './driven-conversation.ts';
export { legacyVersions, modernVersion } from './era.ts';
export { openHttpConversation } from './http.ts';
export {
  type HttpRequest,
  type HttpResponse,
  makeRequest,
  type RequestFunction,
  type RequestOptions,
} from './http-request.ts';
export type { HttpEnds } from './http-wire.ts';
export { type ConversationLimits, defaultLimits } from './limits.ts';
export type { PeerCounts } from './peer.ts';
export { openRelay, type Relay, type RelayOptions } from './relay.ts';
export { openStdioConversation } from './stdio.ts';
export type { StdioEnds } from './stdio-wire.ts';
