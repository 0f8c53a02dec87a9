import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describeError, HostError } from '../../base/errors.ts';
import { busyCode, resultCodeOf } from './failure.ts';
import { storeLimits } from './limits.ts';
import { checkOrigin, migrate } from './migrations.ts';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function makePrivateFile(file: string): void {
  try {
    const status = lstatSync(file);
    if (!status.isFile()) throw new HostError(`the store ${file} is not a file`, { hint: 'move it away' });
    if ((status.mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // SQLite gives its own files beside it the same mode.
    closeSync(openSync(file, 'a', 0o600));
  }
}

/** A folder that is already there keeps its mode: it may be anybody's. */
function makePlace(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makePrivateFile(file);
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    throw new HostError(`cannot make the store ${file}: ${describeError(cause)}`, {
      cause,
      hint: 'set HOTCELL_HOME to a folder that this user can write to',
    });
  }
}

/** SQLite does not wait for others while it turns to the journal that several processes can share, so we do. */
function shareJournal(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const until = performance.now() + storeLimits.busyMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCodeOf(error) !== busyCode || performance.now() > until) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** Looked for when it is needed, so that the library loads on a Node that has no SQLite. */
function sqlite(): typeof import('node:sqlite') {
  const module = process.getBuiltinModule?.('node:sqlite');
  if (module === undefined) {
    throw new HostError(`Node ${process.versions.node} has no SQLite, which the store needs`, {
      hint: 'use Node 24, such as the one that Hotcell carries',
    });
  }
  return module;
}

export function openDatabase(file: string): DatabaseSync {
  const { DatabaseSync } = sqlite();
  makePlace(file);
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${storeLimits.busyMs}; PRAGMA trusted_schema = OFF`);
    // Before anything is written to it.
    checkOrigin(database, file);
    shareJournal(database);
    database.exec('PRAGMA synchronous = FULL');
    migrate(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
