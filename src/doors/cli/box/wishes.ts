/** What the command line of `hotcell box` says, beside the settings. */
export interface BoxWishes {
  readonly env: readonly string[];
  readonly workdir?: string | undefined;
  readonly time?: string | undefined;
  readonly raw: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}
