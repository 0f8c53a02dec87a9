import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, UsageError } from '../../base/errors.ts';
import { kibibyte } from '../../base/limits.ts';
import { findNearest } from '../../engine/policy/nearest.ts';
import { type SettingKey, settingKeys, variableName } from './definitions.ts';
import { parseEnvFile } from './env-file.ts';
import { labVariables } from './lab-flags.ts';
import { probeVariables } from './probe-flags.ts';

/** One place that settings come from. Earlier places win over later ones. */
export interface SettingSource {
  readonly kind: 'flag' | 'variable' | 'working folder' | 'home' | 'default';
  /** For people: a file, `environment`, `command line`. */
  readonly where: string;
  /** What relative paths in it are relative to. */
  readonly folder: string;
  /** As written, with the name it was written under. */
  readonly values: ReadonlyMap<SettingKey, { readonly name: string; readonly value: unknown }>;
}

const largestFileBytes = 64 * kibibyte;

async function statIfThere(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')) return null;
    throw new UsageError(`cannot look for ${file}: ${describeError(cause)}`, {
      cause,
      hint: 'set HOTCELL_HOME to a folder of this user, or work in another folder',
    });
  }
}

async function readSmallFile(file: string): Promise<string | null> {
  const status = await statIfThere(file);
  if (status === null) return null;
  if (!status.isFile()) throw new UsageError(`${file} is not a file`);
  if (status.size > largestFileBytes) throw new UsageError(`${file} is larger than ${largestFileBytes / kibibyte} KiB`);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read ${file}: ${describeError(cause)}`, { cause });
  }
}

function unknown(what: string, where: string, known: readonly string[]): UsageError {
  const nearest = findNearest(what, known);
  const hint = nearest === null ? `known: ${known.join(', ')}` : `the nearest known one is ${nearest}`;
  return new UsageError(`${where}: unknown setting ${JSON.stringify(what)}`, { hint });
}

/** Names that other tools have for the same; ours wins. */
export const variableAliases: ReadonlyMap<string, SettingKey> = new Map([['MCP_RCE_GUARD_HOME', 'home']]);

/** `HOTCELL_*` names of an environment or a `.env` file. An empty value counts as not set. */
export function variableSource(
  variables: Iterable<readonly [string, string | undefined]>,
  place: Pick<SettingSource, 'kind' | 'where' | 'folder'>,
): SettingSource {
  const keyOf = new Map(settingKeys.map((key) => [variableName(key), key]));
  const values = new Map<SettingKey, { name: string; value: unknown }>();
  const aliased = new Map<SettingKey, { name: string; value: unknown }>();
  for (const [name, value] of variables) {
    const alias = variableAliases.get(name);
    if (alias !== undefined && value !== undefined && value !== '') aliased.set(alias, { name, value });
    if (!name.startsWith('HOTCELL_') || value === undefined) continue;
    const key = keyOf.get(name);
    // What a lab or probe is set up with is read by whoever opens one, from the environment alone.
    const isOfInstrument = labVariables.has(name) || probeVariables.has(name);
    if (key === undefined && place.kind === 'variable' && isOfInstrument) continue;
    if (key === undefined) throw unknown(name, place.where, [...keyOf.keys()]);
    if (value !== '') values.set(key, { name, value });
  }
  return { ...place, values: new Map([...aliased, ...values]) };
}

function parseJsonObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${file} is not JSON: ${describeError(cause)}`, { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError(`${file}: expected an object with settings`);
  }
  return parsed as Readonly<Record<string, unknown>>;
}

export async function jsonSource(
  folder: string,
  name: string,
  kind: SettingSource['kind'],
  keys: readonly SettingKey[] = settingKeys,
): Promise<SettingSource> {
  const file = join(folder, name);
  const text = await readSmallFile(file);
  const values = new Map<SettingKey, { name: string; value: unknown }>();
  for (const [written, value] of Object.entries(text === null ? {} : parseJsonObject(text, file))) {
    const key = keys.find((candidate) => candidate === written);
    if (key === undefined) throw unknown(written, file, keys);
    values.set(key, { name: written, value });
  }
  return { kind, where: file, folder, values };
}

export interface EnvFile {
  readonly path: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** What the `.env` of a folder says about the names that are asked for; nothing where there is none. */
export async function readEnvFile(folder: string, wanted?: RegExp): Promise<EnvFile> {
  const path = join(folder, '.env');
  const text = await readSmallFile(path);
  return { path, variables: text === null ? new Map() : parseEnvFile(text, path, wanted) };
}

export async function envFileSource(folder: string): Promise<SettingSource> {
  const { path, variables } = await readEnvFile(folder);
  return variableSource(variables, { kind: 'working folder', where: path, folder });
}
