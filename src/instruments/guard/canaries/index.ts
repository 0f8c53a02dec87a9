/** Tokens that must not turn up elsewhere: planted, followed across servers, and told when they do. */
export {
  type CanaryLeak,
  describePlanting,
  longestPattern,
  mostDownstream,
  type Planting,
  type PlantingKind,
  plantingKinds,
  type StoredCanary,
  shortestPattern,
} from './documents.ts';
export { listLeaks } from './leak-book.ts';
export {
  forgetCanary,
  type IssueOptions,
  issueCanary,
  listCanaries,
  markResult,
  type PlantOptions,
  plantToken,
} from './plant.ts';
export { type PlantPlace, plantInEnvironment, plantInResults } from './planting-rules.ts';
export { type FileSearch, type FileSearchLimits, type FoundInFile, usualFileLimits } from './search-files.ts';
export { type CanaryStream, type CanaryWatchOptions, type GuardCanaryWatch, openCanaryWatch } from './watch.ts';
