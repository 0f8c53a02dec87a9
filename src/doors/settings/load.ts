import { isAbsolute, join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { tiers } from '../../base/tiers.ts';
import { findNearest } from '../../engine/policy/nearest.ts';
import {
  type Caller,
  flagName,
  type SettingDefinition,
  type SettingKey,
  type Settings,
  settingDefinitions,
  settingKeys,
} from './definitions.ts';
import { envFileSource, jsonSource, type SettingSource, variableSource } from './source.ts';

export interface Origin {
  readonly kind: SettingSource['kind'];
  /** For people, such as `flag --backend` or a file. */
  readonly where: string;
}

export interface LoadedSettings {
  readonly values: Settings;
  readonly origins: Readonly<Record<SettingKey, Origin>>;
}

export type Flags = Readonly<Partial<Record<SettingKey, string>>>;

function resolvePath(value: string, folder: string, homeFolder: string): string {
  if (value === '~' || value.startsWith('~/')) return join(homeFolder, value.slice(1));
  return isAbsolute(value) ? resolve(value) : resolve(folder, value);
}

function check<T>(definition: SettingDefinition<T>, value: unknown, name: string, where: string): T {
  const { choices, expected, fits } = definition.check;
  if (fits(value)) return value;
  const nearest = typeof value === 'string' ? findNearest(value, choices) : null;
  throw new UsageError(`${where}: ${name}: ${expected}, not ${JSON.stringify(value)?.slice(0, 200)}`, {
    ...(nearest === null ? {} : { hint: `the nearest known one is ${nearest}` }),
  });
}

/** A tier, or one word that may be a misspelt one: said where the caller stands, it means the same as written. */
function isName(value: unknown, source: SettingSource, caller: Caller): boolean {
  if (typeof value !== 'string') return false;
  return (
    tiers.some((tier) => tier === value.toUpperCase()) || (source.folder === caller.folder && !value.includes('/'))
  );
}

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
}

function find(key: SettingKey, sources: readonly SettingSource[], caller: Caller): Found {
  const definition: SettingDefinition<unknown> = settingDefinitions[key];
  for (const source of sources) {
    const written = source.values.get(key);
    if (written === undefined) continue;
    const value = check(definition, written.value, written.name, source.where);
    const isPath = definition.kind === 'path' || (definition.kind === 'policy' && !isName(value, source, caller));
    const placed = isPath && typeof value === 'string' ? resolvePath(value, source.folder, caller.homeFolder) : value;
    return { value: placed, origin: { kind: source.kind, where: describe(source, written.name) } };
  }
  const { value, because } = definition.fallback(caller);
  return { value, origin: { kind: 'default', where: because === undefined ? 'default' : `default (${because})` } };
}

function describe(source: SettingSource, name: string): string {
  if (source.kind === 'flag') return `flag ${name}`;
  if (source.kind === 'variable') return `variable ${name}`;
  return source.where;
}

function flagSource(flags: Flags, folder: string): SettingSource {
  const given = settingKeys.flatMap((key) => {
    const value = flags[key];
    return value === undefined ? [] : [[key, { name: flagName(key), value }] as const];
  });
  return { kind: 'flag', where: 'command line', folder, values: new Map(given) };
}

/** Flags, then HOTCELL_* variables, then the working folder, then Hotcell's home, then defaults. */
export async function loadSettings(flags: Flags, caller: Caller): Promise<LoadedSettings> {
  const { environment, folder } = caller;
  const near = [
    flagSource(flags, folder),
    variableSource(Object.entries(environment), { kind: 'variable', where: 'environment', folder }),
    await jsonSource(folder, 'hotcell.config.json', 'working folder'),
    await envFileSource(folder),
  ];
  const home = String(find('home', near, caller).value);
  // The file that lies in the home folder cannot say where the home folder is.
  const homeKeys = settingKeys.filter((key) => key !== 'home');
  const sources = [...near, await jsonSource(home, 'config.json', 'home', homeKeys)];
  const found = settingKeys.map((key) => [key, find(key, sources, caller)] as const);
  return {
    values: Object.fromEntries(found.map(([key, { value }]) => [key, value])) as Settings,
    origins: Object.fromEntries(found.map(([key, { origin }]) => [key, origin])) as Record<SettingKey, Origin>,
  };
}
