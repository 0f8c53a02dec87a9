import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleFinding, sampleScan } from '../../../instruments/probe/report/sample-scan.ts';
import { jwtAudit } from '../../../instruments/probe/scanners/jwt-audit.ts';
import { exitCodeOfScans, readInput, readTextFile } from './scan.ts';

describe('readTextFile', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hotcell-scan-'));
    await writeFile(join(folder, 'good.json'), '{}');
    await writeFile(join(folder, 'huge.json'), '');
    await truncate(join(folder, 'huge.json'), 5_000_000);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads a file', async () => {
    expect(await readTextFile('document', 'good.json', folder)).toBe('{}');
  });

  it.each([
    ['/dev/zero', 'it is not a file'],
    ['pipe', 'it is not a file'],
    ['.', 'it is not a file'],
    ['huge.json', 'it is larger than'],
    ['none.json', 'no such file'],
  ])('refuses %s', async (path, because) => {
    await expect(readTextFile('document', path, folder)).rejects.toThrow(because);
  });
});

describe('readInput', () => {
  const url = 'http://127.0.0.1/me';
  const token = 'eyJhbGciOiJub25lIn0.e30.c2ln';
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hotcell-scan-'));
    await writeFile(join(folder, 'token.txt'), `${token}\n`);
    await writeFile(join(folder, 'words.txt'), 'no token');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([token, '@token.txt'])('takes the token %s', async (given) => {
    expect(await readInput(jwtAudit, { token: given }, [url], folder)).toEqual({ url, token });
  });

  it.each([
    ['@words.txt', '--token: expected signed token'],
    ['@none.txt', '--token "none.txt": ENOENT'],
    ['@', '--token "": it is not a file'],
  ])('refuses the token %s', async (given, because) => {
    await expect(readInput(jwtAudit, { token: given }, [url], folder)).rejects.toThrow(because);
  });
});

describe('exitCodeOfScans', () => {
  it.each([
    [[], 3],
    [[sampleScan()], 0],
    [[sampleScan(), sampleScan({ status: 'timed_out' })], 3],
    [[sampleScan({ status: 'cancelled' }, [sampleFinding({ severity: 'high' })])], 1],
  ])('%#', (scans, code) => {
    expect(exitCodeOfScans(scans, 'high')).toBe(code);
  });
});
