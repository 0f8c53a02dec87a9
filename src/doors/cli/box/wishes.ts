/** What the command line of `hotcell box` says, beside the settings. */
export interface BoxWishes {
  readonly env: readonly string[];
  readonly workdir?: string | undefined;
  readonly time?: string | undefined;
  readonly watch: boolean;
  readonly witness: boolean;
  readonly output?: string | undefined;
  readonly network?: string | undefined;
  readonly decoys: boolean;
  readonly raw: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}
