import type { DatabaseSync } from 'node:sqlite';
import { HostError } from '../../base/errors.ts';

/** Step n takes a store from version n to version n + 1. Steps are added and never altered. */
const steps: readonly string[] = [
  `CREATE TABLE documents (
     collection TEXT NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     revision INTEGER NOT NULL,
     changed_at TEXT NOT NULL,
     PRIMARY KEY (collection, key)
   ) STRICT, WITHOUT ROWID`,
];

export const currentVersion = steps.length;
/** "hotc": tells a store from any other SQLite file. */
export const applicationId = 0x68_6f_74_63;

function readNumber(database: DatabaseSync, pragma: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

/** The version of a store; 0 for a file that is new. Nothing is written. */
export function checkOrigin(database: DatabaseSync, file: string): number {
  const version = readNumber(database, 'user_version');
  const id = readNumber(database, 'application_id');
  if (version === 0 && id === 0 && isEmpty(database)) return 0;
  if (id !== applicationId) {
    throw new HostError(`${file} is an SQLite file of another program`, {
      hint: 'move it away, or set HOTCELL_HOME to another folder',
    });
  }
  if (version > currentVersion) {
    throw new HostError(
      `${file} was written by a newer Hotcell (version ${version}; this one knows ${currentVersion})`,
      {
        hint: 'update Hotcell, or set HOTCELL_HOME to another folder',
      },
    );
  }
  return version;
}

/** Several processes may start at once: the first one does it, inside one transaction. */
export function migrate(database: DatabaseSync, file: string): void {
  if (checkOrigin(database, file) === currentVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of steps.slice(checkOrigin(database, file))) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${currentVersion}`);
    database.exec('COMMIT');
  } catch (error) {
    // A disk that is full has rolled it back by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
