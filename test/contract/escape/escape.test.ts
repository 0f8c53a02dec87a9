import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../src/base/limits.ts';
import { type BackendId, backendIds, backends } from '../../../src/engine/box/index.ts';
import { attempts } from './attempts.ts';
import { type BackendRun, runBackend, whyNot } from './backend-run.ts';
import type { Cell } from './judge.ts';
import { readMatrix, renderMatrix } from './matrix.ts';

/** Zero escapes, on every backend that works here. */

const table = join(import.meta.dirname, '../../../docs/reference/escape-matrix.md');
const results = new Map<BackendId, ReadonlyMap<string, Cell>>();

const reasons = new Map(
  await Promise.all(backends.map(async (backend) => [backend.id, await whyNot(backend, tmpdir())] as const)),
);

for (const backend of backends) {
  const reason = reasons.get(backend.id) ?? null;

  describe(`escapes from ${backend.id}`, () => {
    if (reason !== null) {
      it('are not tried', ({ skip }) => skip(reason));
      return;
    }
    let run: BackendRun;

    beforeAll(async () => {
      run = await runBackend(backend, attempts);
      results.set(backend.id, run.cells);
    }, 10 * minuteMs);

    it.each(attempts)('$id: $what', ({ id }) => {
      const { is, because } = run.cells.get(id) ?? { is: 'no-answer', because: 'it was not run' };
      expect(`${is}: ${because}`).toMatch(/^(contained|not-applicable): /);
    });

    it('leave no container behind', () => {
      expect(run.containersLeft).toEqual([]);
    });
  });
}

describe('the table in docs/reference', () => {
  it('lists these attempts and backends, and no escape', () => {
    if (process.env.HOTCELL_UPDATE_MATRIX === '1') {
      const tried = [...results.keys()].toSorted();
      expect(tried, 'only a run on every backend can write it').toEqual([...backendIds].toSorted());
      mkdirSync(dirname(table), { recursive: true });
      writeFileSync(table, renderMatrix(attempts, results));
    }
    const written = readMatrix(existsSync(table) ? readFileSync(table, 'utf8') : '');
    expect(written.attempts).toEqual(attempts.map(({ id, what }) => `${id}: ${what}`));
    expect(written.backends).toEqual(backendIds);
    expect(written.cells.filter((cell) => !/^(contained|own kernel|n\.a\. \(\d+\))$/.test(cell))).toEqual([]);
  });
});
