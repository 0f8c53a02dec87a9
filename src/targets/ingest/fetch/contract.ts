import { gibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';

/** Brings packages here as files, through the user's own settings. Nothing of them is run, built or imported. */

export interface FetchContext {
  /** Whose project settings apply. */
  readonly cwd: string;
  /**
   * A folder under study. Settings files in it do not count: an `.npmrc` can send variables of the environment to any
   * host it likes.
   */
  readonly targetFolder?: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cacheFolder: string;
  /** Only what is in the cache. */
  readonly isOffline: boolean;
  readonly limits?: Partial<FetchLimits>;
}

export interface FetchLimits {
  readonly maxArchiveBytes: number;
  readonly maxIndexBytes: number;
  readonly timeoutMs: number;
}

export const defaultFetchLimits: FetchLimits = {
  maxArchiveBytes: gibibyte / 2,
  maxIndexBytes: 64 * mebibyte,
  timeoutMs: 5 * minuteMs,
};

export function limitsOf(context: FetchContext): FetchLimits {
  return { ...defaultFetchLimits, ...context.limits };
}

/** What the registry says about the version that was fetched. Texts are the publisher's. */
export interface RegistryFacts {
  readonly publishedAt?: string;
  readonly firstPublishedAt?: string;
  readonly versions: number;
  readonly previousVersion?: string;
  readonly hasSignature: boolean;
  readonly hasProvenance: boolean;
  readonly isDeprecated: boolean;
  readonly isYanked: boolean;
}

export interface Fetched {
  readonly name: string;
  readonly version: string;
  /** As in `sha512-…`: what was computed over the file that is here. */
  readonly integrity: string;
  /** Whether the source had told a hash, which fits. */
  readonly isVerified: boolean;
  /** Where it came from, without credentials. */
  readonly origin: string;
  /** The archive on disk. It is in the cache or in the given folder; it is not changed. */
  readonly archive: string;
  readonly registry?: RegistryFacts;
  /** npm: what the registry says of this version; the publisher's words. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}
