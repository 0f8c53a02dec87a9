export { lenientTls, PinnedClient } from './client.ts';
export { coveredUrl, isMethodCovered, isUrlCovered, portOf } from './coverage.ts';
export { AuditFailure, type FailureKind, failureKinds } from './failure.ts';
export { clientLimits } from './limits.ts';
export { reachableFirst } from './reachable.ts';
export {
  curlOf,
  headerOf,
  headersOf,
  isJsonType,
  longestCommand,
  madeUpSecret,
  mediaTypeOf,
  quoteBody,
  quoteText,
  type ShowOptions,
  showExchange,
} from './show.ts';
