import { readdirSync } from 'node:fs';
import type { Cell } from '../../../../../engine/cell/index.ts';
import { shellWord } from '../in-box.ts';
import { startService } from '../service.ts';
import { token } from '../token.ts';
import type { NotRaised, Raised } from './contract.ts';
import { postgresSetup } from './postgres-setup.ts';

/** A PostgreSQL inside the box, run by the box's own user: what a server makes it do happens in there. */

const versionsFolder = '/usr/lib/postgresql';
/** The name that everybody tries. The one that may do everything has another. */
const [role, keeper, table] = ['postgres', 'keeper', 'notes'] as const;
const port = 5432;
const readyTimeoutMs = 30_000;

/** The newest that this system has; Debian keeps one folder for each version. */
export function postgresPrograms(folder = versionsFolder): string | null {
  try {
    const versions = readdirSync(folder).filter((name) => /^\d+$/.test(name));
    const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
    return newest === undefined ? null : `${folder}/${newest}/bin`;
  } catch {
    return null;
  }
}

/** Nothing of it is worth a write to the disk, and it serves one client. */
const settings: readonly string[] = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'wal_level=minimal'],
  ...['max_wal_senders=0', 'shared_buffers=8MB', 'max_connections=20', 'dynamic_shared_memory_type=mmap'],
  ...['log_statement=none', 'listen_addresses=127.0.0.1', `port=${port}`],
];

function startScript(programs: string, folder: string): string {
  const [data, setup] = [`${folder}/data`, `${folder}/setup.sql`].map(shellWord);
  const own = [...settings, `unix_socket_directories=${folder}`].map((each) => `-c ${shellWord(each)}`).join(' ');
  return [
    `${programs}/initdb -D ${data} -U ${keeper} -A trust -E UTF8 --no-locale --no-sync --wal-segsize=1 >/dev/null || exit 1`,
    // It goes on after a statement that failed, so what it complains of decides.
    `${programs}/postgres --single -D ${data} -F postgres <${setup} 2>&1 >/dev/null | grep -E 'ERROR|FATAL' && exit 1`,
    `exec ${programs}/postgres -D ${data} ${own}`,
  ].join('\n');
}

export async function raisePostgres(cell: Cell, temporary: string): Promise<Raised | NotRaised> {
  const programs = postgresPrograms();
  if (programs === null) return { problem: `PostgreSQL is not installed: there is no ${versionsFolder}` };
  const folder = `${cell.box.folders.tmp}/postgres-${token().slice(0, 9)}`;
  const canary = token();
  const setup = postgresSetup({ role, table, canary, temporary });
  await cell.box.put(`${folder}/setup.sql`, Buffer.from(setup), 0o644);
  const started = await startService(cell, ['/bin/sh', '-c', startScript(programs, folder)], {
    ready: /ready to accept connections/,
    timeoutMs: readyTimeoutMs,
  });
  if ('problem' in started) return { problem: `PostgreSQL does not start in the box: ${started.problem}` };
  const url = `postgresql://${role}:${role}@127.0.0.1:${port}/postgres`;
  return {
    environment: { DATABASE_URL: url, POSTGRES_URL: url },
    world: { database: url, databaseCanary: canary, table },
    url,
    close: () => started.service.close(),
  };
}
