import { lstatSync } from 'node:fs';
import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import { asArray, asObject, asString, asStrings, isObject, type JsonObject } from '../../../base/json-shape.ts';
import { mebibyte } from '../../../base/limits.ts';
import type { Archive, LaunchMemory, LaunchRecord, Program, Runner, ServerRecord } from './contract.ts';
import { explainWrite, innerParts } from './write-tree.ts';

/** What is remembered on disk: of an installed server in its folder, of a launch command in a file of its own. */

/** In the folder of an installed server. A box is given the tree alone. */
export const serverFiles = { tree: 'app', record: 'record.json', manifest: 'manifest.json', seal: 'seal' } as const;

export const serversFolder = (home: string): string => join(home, 'guard/servers');

const mostBytes = 4 * mebibyte;
const digestPattern = /^[0-9a-f]{64}$/;
const runners: readonly Runner[] = ['node', 'python', 'bun', 'deno', 'itself'];

/** Undefined where there is no such file; a file that is too large is none of ours. */
async function readSmall(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      return size > mostBytes ? '' : await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new HostError(`cannot read ${JSON.stringify(path)}`, { cause: error });
  }
}

function parseObject(text: string, format: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.format === format ? value : null;
  } catch {
    return null;
  }
}

export function parseLaunchRecord(text: string): LaunchRecord | null {
  const value = parseObject(text, 'hotcell-launch');
  if (value === null) return null;
  const { subject, digest, integrity, date } = value;
  const version = value.version === null ? null : asString(value.version);
  if (typeof subject !== 'string' || typeof integrity !== 'string' || typeof date !== 'string') return null;
  if (version === undefined || typeof digest !== 'string' || !digestPattern.test(digest)) return null;
  return { format: 'hotcell-launch', asked: asStrings(value.asked), subject, version, integrity, digest, date };
}

function readProgram(value: unknown): Program | null {
  const { name, path, runner, runnerArgs, isOwn } = asObject(value);
  const known = runners.find((each) => each === runner);
  if (typeof name !== 'string' || typeof path !== 'string' || known === undefined || innerParts(path) === null) {
    return null;
  }
  return { name, path, runner: known, runnerArgs: asStrings(runnerArgs), isOwn: isOwn === true };
}

function readArchive(value: unknown): Archive | null {
  const { name, version, integrity } = asObject(value);
  if (typeof name !== 'string' || typeof version !== 'string') return null;
  return { name, version, integrity: asString(integrity) ?? null };
}

export function parseServerRecord(text: string): ServerRecord | null {
  const value = parseObject(text, 'hotcell-server');
  if (value === null) return null;
  const { subject, integrity, date, platform, ecosystem, manifest } = value;
  const version = value.version === null ? null : asString(value.version);
  const source = asObject(value.source);
  const programs = asArray(value.programs).map(readProgram);
  const archives = asArray(value.archives).map(readArchive);
  if (typeof subject !== 'string' || typeof integrity !== 'string' || typeof date !== 'string') return null;
  if (typeof platform !== 'string' || typeof manifest !== 'string' || version === undefined) return null;
  if (ecosystem !== 'npm' && ecosystem !== 'pypi' && ecosystem !== 'none') return null;
  if (programs.includes(null) || archives.includes(null)) return null;
  return {
    format: 'hotcell-server',
    subject,
    version,
    integrity,
    launch: asStrings(value.launch),
    asked: asStrings(value.asked),
    date,
    platform,
    ecosystem,
    archives: archives.filter((each) => each !== null),
    programs: programs.filter((each) => each !== null),
    source:
      typeof source.path === 'string' && typeof source.state === 'string'
        ? { path: source.path, state: source.state }
        : null,
    scripts: asStrings(value.scripts),
    builtWith: asString(value.builtWith) ?? null,
    problems: asStrings(value.problems),
    manifest,
  };
}

/** A folder that is not ours alone to write could hold anything by now. */
function checkOwner(path: string): void {
  const { uid, mode } = lstatSync(path);
  const isOurs = uid === process.getuid?.() || uid === 0;
  if (isOurs && (mode & 0o170000) === 0o040000 && (mode & 0o022) === 0) return;
  throw new HostError(`${JSON.stringify(path)} is no folder that only its owner can change`, {
    hint: 'remove it and install the server again with: hotcell run --update',
  });
}

export async function readRecord(folder: string): Promise<ServerRecord> {
  for (const path of [folder, join(folder, serverFiles.tree)]) checkOwner(path);
  const record = parseServerRecord((await readSmall(join(folder, serverFiles.record))) ?? '');
  if (record !== null) return record;
  throw new HostError(`the record in ${JSON.stringify(folder)} cannot be understood`, {
    hint: 'install the server again with: hotcell run --update',
  });
}

/** Whole or not at all, whoever reads at the same time. */
async function writeWhole(path: string, text: string, replaces: boolean): Promise<boolean> {
  const part = `${path}.${process.pid}-${crypto.randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(part, text, { mode: 0o600, flush: true });
    if (replaces) await rename(part, path);
    else await link(part, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && !replaces) return false;
    throw explainWrite(error, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** One small file for each launch command. */
export function fileMemory(folder: string): LaunchMemory {
  const pathOf = (key: string): string => join(folder, `${key}.json`);
  async function read(key: string): Promise<LaunchRecord | null> {
    const text = await readSmall(pathOf(key));
    if (text === undefined) return null;
    const record = parseLaunchRecord(text);
    if (record !== null) return record;
    // To go on would mean to take whatever is the newest today for what was pinned.
    throw new HostError(`${JSON.stringify(pathOf(key))} cannot be understood, so what was pinned is not known`, {
      hint: 'resolve the server anew with: hotcell run --update',
    });
  }
  return {
    read,
    async write(key, record, replaces) {
      const text = `${JSON.stringify(record, null, 2)}\n`;
      if (await writeWhole(pathOf(key), text, replaces)) return record;
      return (await read(key)) ?? record;
    },
  };
}
