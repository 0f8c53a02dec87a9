import type { HiddenText } from './hidden-text.ts';

/** Where a client of MCP servers keeps its list of servers, and what stands in it. */

export type Platform = 'linux' | 'darwin' | 'win32';
export type ConfigScope = 'user' | 'project' | 'managed' | 'plugin';

export interface FoundConfig {
  readonly client: string;
  readonly scope: ConfigScope;
  readonly path: string;
}

export interface ConfiguredServer {
  readonly name: string;
  readonly client: string;
  /** The program and its arguments; absent for a server that is reached by URL. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly environment: ReadonlyMap<string, HiddenText>;
  readonly headers: ReadonlyMap<string, HiddenText>;
  readonly isDisabled: boolean;
  readonly where: {
    readonly path: string;
    /** Keys from the root of the document to the server. */
    readonly keys: readonly string[];
    readonly line?: number;
  };
}

export interface ConfigProblem {
  readonly path: string;
  readonly what: string;
  readonly line?: number;
}

export interface ClientConfig {
  readonly client: string;
  readonly path: string;
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly ConfigProblem[];
}
