import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleScan } from '../report/sample-scan.ts';
import { dropEmptyFolder, keepScan, listScans, makeScanFolder, readScan, resultsFolder } from './keep.ts';

describe('scans that are kept', () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'hotcell-kept-'));
  });
  afterAll(() => rm(home, { recursive: true }));

  it('are not hidden by newer ones that were killed', async () => {
    expect(await listScans(home)).toEqual([]);
    for (const id of ['20260101000000-a', '20260102000000-b']) {
      await keepScan(await makeScanFolder(home, id), sampleScan({ id }));
    }
    for (let second = 10; second < 60; second += 1) await makeScanFolder(home, `202602010000${second}-c`);
    expect(await listScans(home)).toEqual(['20260102000000-b', '20260101000000-a']);
    expect((await readScan(home, '20260101000000-a')).result.id).toBe('20260101000000-a');
  });

  it('are kept whole or not at all', async () => {
    const folder = await makeScanFolder(home, 'blocked');
    // Stands where the result would be.
    await mkdir(join(folder, 'scan.json', 'something'), { recursive: true });
    await expect(keepScan(folder, sampleScan())).rejects.toThrow('cannot keep the result of the scan');
    expect(await readdir(folder)).toEqual(['scan.json']);
    await rm(folder, { recursive: true });
  });

  it('leave no folder where they never began, and what they left otherwise', async () => {
    const [empty, full] = [await makeScanFolder(home, 'empty'), await makeScanFolder(home, 'full')];
    await writeFile(join(full, 'raw.txt'), 'text');
    await dropEmptyFolder(empty);
    await dropEmptyFolder(full);
    const names = await readdir(resultsFolder(home));
    expect(names).toContain('full');
    expect(names).not.toContain('empty');
  });
});
