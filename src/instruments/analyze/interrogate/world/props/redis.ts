import type { Cell } from '../../../../../engine/cell/index.ts';
import { findTool } from '../../../../../engine/host/find-tool.ts';
import { startService } from '../service.ts';
import type { NotRaised, Raised } from './contract.ts';

/** A Redis inside the box, with nothing in it. */

const program = 'redis-server';
const port = 6379;
const readyTimeoutMs = 10_000;

export async function raiseRedis(cell: Cell): Promise<Raised | NotRaised> {
  const found = await findTool(program);
  if (found === null) return { problem: `Redis is not installed: there is no ${program}` };
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: cell.box.folders.tmp, daemonize: 'no' };
  const argv = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const started = await startService(cell, [found, ...argv], {
    ready: /ready to accept connections/i,
    timeoutMs: readyTimeoutMs,
  });
  if ('problem' in started) return { problem: `Redis does not start in the box: ${started.problem}` };
  const url = `redis://127.0.0.1:${port}`;
  return { environment: { REDIS_URL: url }, world: {}, url, close: () => started.service.close() };
}
