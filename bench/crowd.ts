import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { mebibyte } from '../src/base/limits.ts';
import { type BackendId, type BoxOptions, backends, createBox } from '../src/engine/box/index.ts';
import { tierPolicy } from '../src/engine/policy/index.ts';
import type { Result } from './result.ts';

/** Fifty boxes at once: all finish, and Hotcell itself stays small. */

const boxes = 50;

async function oneOf(backend: BackendId, options: BoxOptions): Promise<boolean> {
  await using box = await createBox(tierPolicy('LOW'), { ...options, backend });
  const child = await box.spawn(['/bin/sh', '-c', 'sleep 1; echo done']);
  child.stdin.end();
  child.stderr.resume();
  const [said, { code }] = await Promise.all([text(child.stdout), child.exited]);
  return code === 0 && said === 'done\n';
}

export async function measureCrowd(options: BoxOptions): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { id, probe } of backends) {
    if ((await probe(options)).is !== 'yes') continue;
    await oneOf(id, options);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const startedAt = performance.now();
    const finished = (await Promise.all(Array.from({ length: boxes }, () => oneOf(id, options)))).filter(
      Boolean,
    ).length;
    clearInterval(watch);
    const seconds = (performance.now() - startedAt) / 1000;
    results.push({
      name: `${boxes} ${id} boxes: unfinished`,
      value: boxes - finished,
      unit: 'boxes',
      bar: 0,
      detail: `all in ${seconds.toFixed(1)} s`,
    });
    results.push({
      name: `${boxes} ${id} boxes: own memory`,
      value: (peak - before) / mebibyte / boxes,
      unit: 'MiB/box',
      bar: 2,
      detail: 'growth of the resident memory of Hotcell at its peak',
    });
    await sleep(500);
  }
  return results;
}
