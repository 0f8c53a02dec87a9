import { readdirSync, readFileSync } from 'node:fs';

/** Processes of this host below one of them. */

export interface TreeUse {
  readonly pids: readonly number[];
  readonly threads: number;
  readonly residentBytes: number;
}

const pageBytes = 4096;

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly threads: number;
  readonly residentBytes: number;
}

/**
 *     pid (name) state ppid … [17] num_threads … [21] rss      counted after the closing parenthesis
 */
function readRow(pid: number): Row | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      parent: Number(fields[1]),
      threads: Number(fields[17]),
      residentBytes: Number(fields[21]) * pageBytes,
    };
  } catch {
    return null;
  }
}

export function measureTree(root: number): TreeUse {
  const rows = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readRow(Number(name)) ?? []) : []));
  const byParent = Map.groupBy(rows, (row) => row.parent);
  const found: Row[] = [];
  for (let todo = byParent.get(root) ?? []; todo.length > 0; ) {
    found.push(...todo);
    todo = todo.flatMap((row) => byParent.get(row.pid) ?? []);
  }
  return {
    pids: found.map((row) => row.pid),
    threads: found.reduce((sum, row) => sum + row.threads, 0),
    residentBytes: found.reduce((sum, row) => sum + row.residentBytes, 0),
  };
}

/** Sends a signal to each; those that are gone already are fine. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // ESRCH
    }
  }
}
