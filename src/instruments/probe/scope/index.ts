/** The public face of scopes. */
export { credentialOf, type Environment } from './credential.ts';
export { loadScope, makeScope, type ScopeMeans } from './load.ts';
export { coversPorts, formatPorts } from './port-list.ts';
export {
  allowsAddress,
  allowsPort,
  decideReach,
  namesAddress,
  type ReachDecision,
  type ReachRefusal,
} from './reach.ts';
export { readScope } from './read.ts';
export { namesHost, objectToRequest, type ScopedRequest } from './request.ts';
export { type ScopeDocument, scopeDefaults, scopeJsonSchema, scopeSchema } from './schema.ts';
export type { LoadedScope } from './scope.ts';
export { endsAt, objectToTime } from './time.ts';
export { isBelow, isSamePlace, type UrlPrefix } from './url-prefix.ts';
