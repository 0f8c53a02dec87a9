import { join } from 'node:path';
import { z } from 'zod';
import { backendIds } from '../../engine/box/contract.ts';

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

export interface SettingDefinition<T> {
  readonly schema: z.ZodType<T>;
  readonly description: string;
  /** The default as the documentation shows it. */
  readonly shownDefault: string;
  /** `path`: relative to the file that says it. `policy`: the same, unless it is a tier. */
  readonly kind: 'choice' | 'path' | 'policy';
  fallback(caller: Caller): Fallback<T>;
}

function define<T>(definition: SettingDefinition<T>): SettingDefinition<T> {
  return definition;
}

const path = z
  .string()
  .min(1)
  .max(4095)
  .regex(/^[^\0]*$/, 'a path without NUL');

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
    schema: z.enum(['auto', ...backendIds]),
    description: 'which kind of box to make; `auto` takes the strongest that works here',
    shownDefault: 'auto',
    kind: 'choice',
    fallback: () => ({ value: 'auto' as const }),
  }),
  policy: define({
    schema: path,
    description: 'what a target may touch: a tier (LOW, MEDIUM, HIGH, CRITICAL) or a policy file',
    shownDefault: 'LOW',
    kind: 'policy',
    fallback: () => ({ value: 'LOW' }),
  }),
  home: define({
    schema: path,
    description: "Hotcell's own folder: its `config.json`, and what later runs keep",
    shownDefault: '~/.hotcell',
    kind: 'path',
    fallback: ({ homeFolder }) => ({ value: join(homeFolder, '.hotcell') }),
  }),
  runtimeFolder: define({
    schema: path,
    description: 'where running boxes keep their files',
    shownDefault: '/run/hotcell for root, else $XDG_RUNTIME_DIR/hotcell, else /tmp/hotcell-UID',
    kind: 'path',
    fallback: runtimeFallback,
  }),
  dockerSocket: define({
    schema: path,
    description: 'socket of the docker engine',
    shownDefault: 'the path in DOCKER_HOST=unix://…, else /var/run/docker.sock',
    kind: 'path',
    fallback: dockerFallback,
  }),
  color: define({
    schema: z.enum(['auto', 'always', 'never']),
    description: 'colours in the output; `auto` means on a terminal, unless NO_COLOR is set',
    shownDefault: 'auto',
    kind: 'choice',
    fallback: () => ({ value: 'auto' as const }),
  }),
  logLevel: define({
    schema: z.enum(['quiet', 'info', 'debug']),
    description: '`quiet` drops notes on stderr, `debug` adds stack traces to errors',
    shownDefault: 'info',
    kind: 'choice',
    fallback: () => ({ value: 'info' as const }),
  }),
} as const;

export type SettingKey = keyof typeof settingDefinitions;
export type Settings = { readonly [Key in SettingKey]: z.infer<(typeof settingDefinitions)[Key]['schema']> };

export const settingKeys = Object.keys(settingDefinitions) as readonly SettingKey[];

/** runtimeFolder -> HOTCELL_RUNTIME_FOLDER */
export function variableName(key: SettingKey): string {
  return `HOTCELL_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** runtimeFolder -> --runtime-folder */
export function flagName(key: SettingKey): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
