/** Archives that try to do harm. All of them are made here, at test time, and none holds more than a marker. */

export interface HostileArchive {
  readonly what: string;
  make(): Buffer;
  readonly limits?: Readonly<Record<string, number>>;
  readonly strip?: 0 | 1;
  /** Every id that must be reported, sorted, each once. */
  readonly reported: readonly string[];
  /** Every file that must be on disk, and what it holds. */
  readonly disk: Readonly<Record<string, string>>;
  readonly isComplete?: boolean;
}
