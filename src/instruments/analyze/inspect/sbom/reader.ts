import type { Lock } from './builder.ts';
import type { Ecosystem } from './graph.ts';

/** Text of a file beside the lock, by its path from there; undefined when there is none. */
export type Siblings = (path: string) => string | undefined;

/** One lock file format. A text that is not in it throws a TargetError; whatever else it holds becomes a problem in words. */
export interface LockReader {
  readonly id: string;
  readonly title: string;
  readonly ecosystem: Ecosystem;
  readonly isFor: (fileName: string) => boolean;
  /** Where two lie side by side the higher one is read: a lock before a manifest. */
  readonly rank: number;
  readonly read: (text: string, siblings: Siblings) => Lock;
}
