import type { World } from '../../arguments/index.ts';

/** Something that was raised for a server to find, and what to tell the server of it. */
export interface Raised {
  /** Variables that lead there, for servers that ask for none in particular. */
  readonly environment: Readonly<Record<string, string>>;
  /** What of it belongs into the world. */
  readonly world: Partial<Pick<World, 'database' | 'databaseCanary' | 'table'>>;
  readonly url?: string;
  /** Ends it; the end of the box would too. */
  close(): Promise<void>;
}

/** Why it could not be raised, in words of ours. */
export interface NotRaised {
  readonly problem: string;
}
