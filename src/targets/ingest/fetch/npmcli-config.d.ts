/** The part of npm's own settings reader that is used here; it comes without types. */
declare module '@npmcli/config' {
  interface ConfigOptions {
    npmPath: string;
    definitions: unknown;
    shorthands: unknown;
    flatten: unknown;
    nerfDarts: unknown;
    argv: string[];
    env: Record<string, string | undefined>;
    execPath: string;
    platform: string;
    cwd: string;
  }
  class Config {
    constructor(options: ConfigOptions);
    load(): Promise<void>;
    readonly flat: Record<string, unknown>;
  }

  export = Config;
}

declare module '@npmcli/config/lib/definitions/index.js' {
  const definitions: { definitions: unknown; shorthands: unknown; flatten: unknown; nerfDarts: unknown };

  export = definitions;
}
