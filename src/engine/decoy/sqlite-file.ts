import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The bytes of a database, filled by `fill`. It needs a file for a moment, since one in memory cannot be read out. */
export function makeDatabase(fill: (database: DatabaseSync) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-decoy-'));
  try {
    const path = join(folder, 'database');
    const database = new DatabaseSync(path);
    try {
      // Nothing is worth a write to the disk here.
      database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
      fill(database);
    } finally {
      database.close();
    }
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
