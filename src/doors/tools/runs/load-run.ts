import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { describeError, UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { type Report, reportSchema } from '../../../base/report-schema.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import { runFiles } from '../../../instruments/analyze/run/write-run.ts';
import type { RunCaller } from './caller.ts';
import { runNamePattern, runsFolder } from './run-folder.ts';

/** A run that is there already: by its folder, its report, its name where runs are kept, or as the latest of them. */
export interface LoadedRun {
  readonly report: Report;
  readonly path: string;
  /** The folder that holds the report. */
  readonly folder: string;
  /** What the run is called in commands. */
  readonly name: string;
}

const largestBytes = 256 * mebibyte;

async function kindOf(path: string): Promise<'folder' | 'file' | null> {
  const status = await stat(path).catch(() => null);
  if (status === null) return null;
  return status.isDirectory() ? 'folder' : 'file';
}

/** Names of runs with a report where `runs` are kept, the oldest first. */
export async function keptRuns(runs: string): Promise<readonly string[]> {
  const names = (await readdir(runs).catch(() => [])).toSorted();
  const kinds = await Promise.all(names.map((name) => kindOf(join(runs, name, runFiles.json))));
  return names.filter((_, at) => kinds[at] === 'file');
}

function noSuchRun(given: string, runs: string, names: readonly string[]): UsageError {
  if (given === 'latest')
    return new UsageError(`no run is kept in ${runs}`, { hint: 'hotcell analyze TARGET makes one' });
  const nearest = findNearest(given, ['latest', ...names]);
  const newest = names.slice(-3).toReversed().join(', ');
  const hint = nearest !== null ? `did you mean ${nearest}?` : newest === '' ? undefined : `the newest are ${newest}`;
  return new UsageError(`there is no run ${JSON.stringify(given)}`, hint === undefined ? {} : { hint });
}

async function findReport(given: string, { caller, settings }: RunCaller): Promise<string> {
  const runs = runsFolder(settings.values.home);
  const here = resolve(caller.folder, given);
  const kind = await kindOf(here);
  if (kind === 'file') return here;
  if (kind === 'folder' && (await kindOf(join(here, runFiles.json))) === 'file') return join(here, runFiles.json);
  const names = await keptRuns(runs);
  const name = given === 'latest' ? names.at(-1) : names.find((known) => known === given);
  if (name !== undefined) return join(runs, name, runFiles.json);
  if (kind === 'folder') throw new UsageError(`${JSON.stringify(given)} holds no ${runFiles.json}`);
  throw noSuchRun(given, runs, names);
}

function parseReport(text: string, path: string): Report {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${path} is not JSON: ${describeError(cause)}`, { cause });
  }
  const parsed = reportSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : z.core.toDotPath(issue.path);
  throw new UsageError(`${path} is no report of Hotcell: ${where}: ${issue?.message ?? 'not valid'}`, {
    hint: 'a report is made by hotcell analyze or hotcell scan -o report.json',
  });
}

async function readReport(path: string): Promise<Report> {
  const { size } = await stat(path);
  if (size > largestBytes) throw new UsageError(`${path} is larger than ${largestBytes / mebibyte} MiB`);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`cannot read ${path}: ${describeError(cause)}`, { cause });
  });
  return parseReport(text, path);
}

export async function loadRun(given: string, door: RunCaller): Promise<LoadedRun> {
  const path = await findReport(given, door);
  const report = await readReport(path);
  const folder = dirname(path);
  const isKept = dirname(folder) === runsFolder(door.settings.values.home) && basename(path) === runFiles.json;
  return { report, path, folder, name: isKept ? basename(folder) : path };
}

/** The folder of a run by its name alone: whoever names a path names no run. */
export async function findKeptRun(given: string, home: string): Promise<string> {
  const runs = runsFolder(home);
  const names = await keptRuns(runs);
  const name = given === 'latest' ? names.at(-1) : names.find((known) => known === given);
  if (name === undefined || !runNamePattern.test(name)) throw noSuchRun(given, runs, names.slice(-200));
  const folder = join(runs, name);
  // A link would let a name stand for any folder.
  if (!(await lstat(folder)).isDirectory()) throw new UsageError(`the run ${JSON.stringify(given)} is no folder`);
  return folder;
}

export async function loadKeptRun(given: string, home: string): Promise<LoadedRun> {
  const folder = await findKeptRun(given, home);
  const path = join(folder, runFiles.json);
  return { report: await readReport(path), path, folder, name: basename(folder) };
}
