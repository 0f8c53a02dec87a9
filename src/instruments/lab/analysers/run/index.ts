import type { RunOrder, RunOutcome } from './contract.ts';
import { AnalyserPool } from './pool.ts';

export type { AnalyserEntry, RunOrder, RunOutcome, RunProgress, Skipped } from './contract.ts';
export { AnalyserPool, type PoolOptions } from './pool.ts';

/** One run with threads of its own. Whoever has several samples keeps a pool. */
export async function runAnalysers(order: RunOrder): Promise<RunOutcome> {
  const pool = new AnalyserPool();
  try {
    return await pool.run(order);
  } finally {
    pool.close();
  }
}
