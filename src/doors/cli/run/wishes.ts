import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { asStrings } from '../../../base/json-shape.ts';
import type { Limits } from '../../../base/policy-schema.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import { type GuardMode, guardModes } from '../../../instruments/guard/contract.ts';
import type { PolicyFlags } from '../../../instruments/guard/run/effective-policy.ts';

/** What the command line of `hotcell run` says, beside the settings. */

export interface RunOptions {
  readonly name?: string | undefined;
  readonly mode?: string | undefined;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly host: readonly string[];
  readonly env: readonly string[];
  readonly limit: readonly string[];
  readonly allowGap: readonly string[];
  readonly instructions?: string | undefined;
  readonly watch: boolean;
  readonly update: boolean;
  readonly learnTo?: string | undefined;
  readonly canary: readonly string[];
  readonly http?: string | undefined;
  readonly innerPort?: string | undefined;
  readonly registered?: string | undefined;
  readonly config?: string | undefined;
}

export const instructionChoices = ['mark', 'block', 'pass'] as const;

/** Where the servers come from. */
export type Source =
  | { readonly is: 'command'; readonly argv: readonly string[] }
  | { readonly is: 'registered'; readonly handle: string; readonly argv: readonly string[] }
  | { readonly is: 'config'; readonly file: string };

export interface RunWishes {
  readonly source: Source;
  readonly name: string | undefined;
  readonly mode: GuardMode;
  readonly flags: PolicyFlags;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that were to be passed on and are not set. */
  readonly unset: readonly string[];
  readonly allowedGaps: readonly string[];
  readonly instructions: (typeof instructionChoices)[number];
  readonly isWatched: boolean;
  readonly isUpdate: boolean;
  readonly learnTo: string | undefined;
  readonly canaries: { readonly inResults: boolean; readonly variables: readonly string[] };
  readonly http: HttpWishes | null;
  /** Of a server that speaks HTTP, for a client over stdio. */
  readonly innerPort: number | null;
}

export interface HttpWishes {
  readonly host: string;
  readonly port: number;
  /** That the server listens on in its box. */
  readonly innerPort: number;
}

export interface WishCaller {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function choose<T extends string>(flag: string, text: string | undefined, choices: readonly T[], usual: T): T {
  if (text === undefined) return usual;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const nearest = findNearest(text, choices);
  throw new UsageError(`${flag} ${JSON.stringify(text)}: expected ${choices.join(', ')}`, {
    ...(nearest === null ? {} : { hint: `did you mean ${nearest}?` }),
  });
}

/** Folders of the kernel, and the root that holds them all: a view of these would be no box. */
const refusedFolders = ['/', '/proc', '/sys', '/dev', '/run', '/var/run'];

/** The path as it is named and as it really is: a server is told of the one and the kernel goes by the other. */
function readPath(flag: string, text: string, folder: string): readonly string[] {
  const named = text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(folder, text);
  let real: string;
  try {
    real = realpathSync(named);
  } catch (cause) {
    throw new UsageError(`${flag} ${JSON.stringify(text)}: ${describeError(cause)}`, { cause });
  }
  const isRefused = refusedFolders.some(
    (refused) => real === refused || (refused !== '/' && real.startsWith(refused + sep)),
  );
  if (isRefused) throw new UsageError(`${flag} ${JSON.stringify(text)}: ${real} is not shown to a box`);
  return [...new Set([named, real])];
}

type Schemas = typeof import('../../../base/policy-schema.ts');

/** A schema takes longer to load than all the rest of the command line: only who gives hosts or limits waits for it. */
async function readHostsAndLimits({ host, limit }: RunOptions): Promise<Pick<PolicyFlags, 'hosts' | 'limits'>> {
  if (host.length === 0 && limit.length === 0) return { hosts: [], limits: {} };
  const schemas = await import('../../../base/policy-schema.ts');
  return { hosts: host.map((text) => readHost(text, schemas)), limits: readLimits(limit, schemas) };
}

/** `host`, `host:port`, `host:*`, `[v6]:port`. */
function readHost(text: string, { networkRuleSchema }: Schemas): PolicyFlags['hosts'][number] {
  const [, v6, plain, port] = /^(?:\[([^\]]*)\]|([^:]*|[^:]*:[^:]*:.*))(?::(\d{1,5}|\*))?$/.exec(text) ?? [];
  const isBareAddress = (plain ?? '').includes(':');
  const rule = {
    host: (v6 ?? plain ?? '').toLowerCase(),
    port: port === undefined || isBareAddress ? 443 : port === '*' ? ('*' as const) : Number(port),
  };
  const checked = networkRuleSchema.safeParse(rule);
  if (checked.success) return rule;
  throw new UsageError(`--host ${JSON.stringify(text)}: expected HOST, HOST:PORT, .SUFFIX:PORT or HOST:*`);
}

function readLimits(pairs: readonly string[], { limitsSchema }: Schemas): Partial<Limits> {
  const names = Object.keys(limitsSchema.shape) as (keyof Limits)[];
  const limits: Partial<Record<keyof Limits, number>> = {};
  for (const pair of pairs) {
    const [, written = '', value = ''] = /^([^=]*)=(\d+(?:\.\d+)?)$/.exec(pair) ?? [];
    const name = names.find((known) => known === written);
    const checked = name === undefined ? null : limitsSchema.shape[name].safeParse(Number(value));
    if (name !== undefined && checked?.success) limits[name] = checked.data;
    else {
      const nearest = name === undefined ? findNearest(written, names) : null;
      throw new UsageError(
        `--limit ${JSON.stringify(pair)}: ${checked?.error?.issues[0]?.message ?? 'expected NAME=NUMBER'}`,
        {
          hint: nearest === null ? names.join(', ') : `did you mean ${nearest}?`,
        },
      );
    }
  }
  return limits;
}

interface Variables {
  readonly values: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
}

function readVariables(words: readonly string[], environment: WishCaller['environment']): Variables {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  const unset: string[] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    const name = at < 0 ? word : word.slice(0, at);
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)) {
      throw new UsageError(`--env ${JSON.stringify(name)}: expected NAME or NAME=VALUE`);
    }
    const value = at < 0 ? environment[name] : word.slice(at + 1);
    if (value === undefined) unset.push(name);
    else values[name] = value;
  }
  return { values, unset };
}

function readPort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

function readInnerPort(text: string): number {
  const port = readPort(text);
  if (port !== null && port !== 0) return port;
  throw new UsageError(`--inner-port ${JSON.stringify(text)}: expected the port that the server listens on`);
}

/** `results`, or `env:NAME`. */
function readCanaries(words: readonly string[]): RunWishes['canaries'] {
  const variables = words
    .filter((word) => word !== 'results')
    .map((word) => /^env:([A-Za-z_]\w{0,199})$/.exec(word)?.[1]);
  if (variables.includes(undefined)) throw new UsageError('--canary: expected results, or env:NAME');
  return { inResults: words.includes('results'), variables: variables.filter((name) => name !== undefined) };
}

function readListen(text: string, inner: string | undefined): HttpWishes {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  const port = readPort(digits);
  if (port === null) throw new UsageError(`--http ${JSON.stringify(text)}: expected PORT or HOST:PORT`);
  const innerPort = readInnerPort(inner ?? digits);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port, innerPort };
}

function readSource({ registered, config }: RunOptions, words: readonly string[], folder: string): Source {
  if (registered !== undefined && config !== undefined)
    throw new UsageError('--registered and --config do not go together');
  if (config !== undefined) {
    if (words.length > 0) throw new UsageError('--config names the servers; a command does not go with it');
    return { is: 'config', file: resolve(folder, config) };
  }
  if (registered !== undefined) return { is: 'registered', handle: registered, argv: words };
  if (words.length > 0) return { is: 'command', argv: words };
  throw new UsageError('the command of the server is missing', { hint: 'hotcell run -- npx -y some-server' });
}

/** The options as commander hands them over. */
export function readRunOptions(options: Readonly<Record<string, unknown>>): RunOptions {
  const text = (key: string): string | undefined => (typeof options[key] === 'string' ? options[key] : undefined);
  const list = (key: string): readonly string[] => asStrings(options[key]);
  return {
    name: text('name'),
    mode: text('mode'),
    read: list('read'),
    write: list('write'),
    host: list('host'),
    env: list('env'),
    limit: list('limit'),
    allowGap: list('allowGap'),
    instructions: text('instructions'),
    watch: options.watch === true,
    update: options.update === true,
    learnTo: text('learnTo'),
    canary: list('canary'),
    http: text('http'),
    innerPort: text('innerPort'),
    registered: text('registered'),
    config: text('config'),
  };
}

export async function readRunWishes(
  options: RunOptions,
  words: readonly string[],
  caller: WishCaller,
): Promise<RunWishes> {
  const mode = choose('--mode', options.mode, guardModes, 'enforce');
  if (options.learnTo !== undefined && mode !== 'learn') throw new UsageError('--learn-to goes with --mode learn');
  if (options.name !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N} ._@/-]{0,99}$/u.test(options.name)) {
    throw new UsageError(`--name ${JSON.stringify(options.name)}: expected up to 100 letters, digits and . _ @ / -`);
  }
  if (options.innerPort !== undefined && options.config !== undefined)
    throw new UsageError('--inner-port does not go with --config');
  if (options.http !== undefined && options.config !== undefined)
    throw new UsageError('--http does not go with --config');
  const { values, unset } = readVariables(options.env, caller.environment);
  const paths = (flag: string, given: readonly string[]): string[] =>
    given.flatMap((path) => readPath(flag, path, caller.folder));
  return {
    source: readSource(options, words, caller.folder),
    name: options.name,
    mode,
    flags: {
      read: paths('--read', options.read),
      write: paths('--write', options.write),
      variables: Object.keys(values),
      ...(await readHostsAndLimits(options)),
    },
    environment: values,
    unset,
    allowedGaps: options.allowGap,
    instructions: choose('--instructions', options.instructions, instructionChoices, 'mark'),
    isWatched: options.watch || mode === 'learn',
    isUpdate: options.update,
    learnTo: options.learnTo === undefined ? undefined : resolve(caller.folder, options.learnTo),
    canaries: readCanaries(options.canary),
    http: options.http === undefined ? null : readListen(options.http, options.innerPort),
    innerPort: options.http !== undefined || options.innerPort === undefined ? null : readInnerPort(options.innerPort),
  };
}
