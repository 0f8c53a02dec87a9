import { join } from 'node:path';
import { backendIds } from '../../engine/box/contract.ts';
import { isCopyList } from './ledger-options.ts';

/** Facts about the caller that defaults are made from. */
export interface Caller {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  readonly homeFolder: string;
  readonly userId: number;
}

export interface Fallback<T> {
  readonly value: T;
  /** What decided it, where it is not always the same. */
  readonly because?: string;
}

/** What a value may be. By hand, because settings are read before anything else and a schema takes its time to load. */
export interface SettingCheck<T> {
  fits(value: unknown): value is T;
  /** All of them, where there are only a few. */
  readonly choices: readonly string[];
  /** What is told otherwise. */
  readonly expected: string;
}

export interface SettingDefinition<T> {
  readonly check: SettingCheck<T>;
  readonly description: string;
  /** The default as the documentation shows it. */
  readonly shownDefault: string;
  /** `path`: relative to the file that says it. `policy`: the same, unless it is a tier. */
  readonly kind: 'choice' | 'path' | 'policy' | 'text';
  fallback(caller: Caller): Fallback<T>;
}

function define<T>(definition: SettingDefinition<T>): SettingDefinition<T> {
  return definition;
}

function oneOf<const Choice extends string>(choices: readonly Choice[]): SettingCheck<Choice> {
  return {
    fits: (value): value is Choice => choices.some((choice) => choice === value),
    choices,
    expected: `expected one of ${choices.join(', ')}`,
  };
}

const longestPath = 4095;
const path: SettingCheck<string> = {
  fits: (value): value is string =>
    typeof value === 'string' && value !== '' && value.length <= longestPath && !value.includes('\0'),
  choices: [],
  expected: `expected a path of up to ${longestPath} characters, without NUL`,
};

/** Making a folder among the kernel's own never comes to an end. */
const folder: SettingCheck<string> = {
  fits: (value): value is string => path.fits(value) && !/^\/+(proc|sys)(\/|$)/.test(value),
  choices: [],
  expected: `${path.expected}, outside /proc and /sys`,
};

function runtimeFallback({ environment, userId }: Caller): Fallback<string> {
  if (userId === 0) return { value: '/run/hotcell', because: 'root' };
  const runtime = environment.XDG_RUNTIME_DIR;
  if (runtime?.startsWith('/')) return { value: join(runtime, 'hotcell'), because: 'XDG_RUNTIME_DIR' };
  return { value: `/tmp/hotcell-${userId}`, because: 'not root, no XDG_RUNTIME_DIR' };
}

function dockerFallback({ environment }: Caller): Fallback<string> {
  const address = environment.DOCKER_HOST;
  if (address?.startsWith('unix:///')) return { value: address.slice('unix://'.length), because: 'DOCKER_HOST' };
  const value = '/var/run/docker.sock';
  return address === undefined ? { value } : { value, because: 'DOCKER_HOST names no unix socket' };
}

export const settingDefinitions = {
  backend: define({
    check: oneOf(['auto', ...backendIds]),
    description: 'which kind of box to make; `auto` takes the strongest that works here',
    shownDefault: 'auto',
    kind: 'choice',
    fallback: () => ({ value: 'auto' as const }),
  }),
  policy: define({
    check: path,
    description: 'what a target may touch: a tier (LOW, MEDIUM, HIGH, CRITICAL) or a policy file',
    shownDefault: 'LOW',
    kind: 'policy',
    fallback: () => ({ value: 'LOW' }),
  }),
  home: define({
    check: folder,
    description:
      "Hotcell's own folder: its `config.json`, the ledger, and what later runs keep; the variable `MCP_RCE_GUARD_HOME` is read too",
    shownDefault: '~/.hotcell',
    kind: 'path',
    fallback: ({ homeFolder }) => ({ value: join(homeFolder, '.hotcell') }),
  }),
  runtimeFolder: define({
    check: folder,
    description: 'where running boxes keep their files',
    shownDefault: '/run/hotcell for root, else $XDG_RUNTIME_DIR/hotcell, else /tmp/hotcell-UID',
    kind: 'path',
    fallback: runtimeFallback,
  }),
  dockerSocket: define({
    check: path,
    description: 'socket of the docker engine',
    shownDefault: 'the path in DOCKER_HOST=unix://…, else /var/run/docker.sock',
    kind: 'path',
    fallback: dockerFallback,
  }),
  checkpointCopies: define({
    check: {
      fits: isCopyList,
      choices: [],
      expected:
        'expected none, or a list of file:/PATH, stderr, syslog, syslog:/SOCKET and https://… with commas between',
    },
    description:
      'where signed checkpoints of the ledger are copied to, so that they are kept where the ledger is not: `file:/PATH`, `stderr`, `syslog`, `syslog:/SOCKET`, `https://…`, with commas between',
    shownDefault: 'none',
    kind: 'text',
    fallback: () => ({ value: 'none' }),
  }),
  color: define({
    check: oneOf(['auto', 'always', 'never']),
    description: 'colours in the output; `auto` means on a terminal, unless NO_COLOR is set',
    shownDefault: 'auto',
    kind: 'choice',
    fallback: () => ({ value: 'auto' as const }),
  }),
  logLevel: define({
    check: oneOf(['quiet', 'info', 'debug']),
    description: '`quiet` drops notes on stderr, `debug` adds stack traces to errors',
    shownDefault: 'info',
    kind: 'choice',
    fallback: () => ({ value: 'info' as const }),
  }),
} as const;

export type SettingKey = keyof typeof settingDefinitions;
type ValueOf<Definition> = Definition extends SettingDefinition<infer Value> ? Value : never;
export type Settings = { readonly [Key in SettingKey]: ValueOf<(typeof settingDefinitions)[Key]> };

export const settingKeys = Object.keys(settingDefinitions) as readonly SettingKey[];

/** runtimeFolder -> HOTCELL_RUNTIME_FOLDER */
export function variableName(key: SettingKey): string {
  return `HOTCELL_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** runtimeFolder -> --runtime-folder */
export function flagName(key: SettingKey): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
