import { access, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError, HostError, UsageError } from '../../../base/errors.ts';
import { findingSchema } from '../../../base/finding-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import { scanResultSchema } from '../contract.ts';

/** What scans leave: one folder each, with the result, the raw output and the packets. */

export const keptScanSchema = z.strictObject({
  format: z.literal('hotcell-scan'),
  version: z.literal(1),
  host: z.string().max(256),
  result: scanResultSchema,
  findings: z.array(findingSchema),
});
export type KeptScan = z.infer<typeof keptScanSchema>;

const fileName = 'scan.json';
const largestBytes = 64 * mebibyte;
const mostScans = 1000;
const idPattern = /^[a-z0-9-]{1,64}$/;

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

export function resultsFolder(homeFolder: string): string {
  return join(homeFolder, 'probe');
}

export async function makeScanFolder(homeFolder: string, id: string): Promise<string> {
  const folder = join(resultsFolder(homeFolder), id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Of a scan that never began; what holds something stays. */
export async function dropEmptyFolder(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** @throws HostError */
export async function keepScan(folder: string, scan: KeptScan): Promise<void> {
  const file = join(folder, fileName);
  const partial = `${file}.partial`;
  try {
    await writeFile(partial, `${JSON.stringify(scan, null, 1)}\n`, { mode: 0o600 });
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw new HostError(`cannot keep the result of the scan: ${describeError(cause)}`, {
      hint: `${folder} has what the program wrote`,
      cause,
    });
  }
}

/** @throws UsageError */
export async function readScan(homeFolder: string, id: string): Promise<KeptScan> {
  if (!idPattern.test(id)) throw new UsageError(`${JSON.stringify(id.slice(0, 80))} is no id of a scan`);
  const file = join(resultsFolder(homeFolder), id, fileName);
  try {
    const { size } = await stat(file);
    if (size > largestBytes) throw new Error('it is too large');
    return keptScanSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new UsageError(`cannot read the scan ${id}: ${describeError(cause)}`, {
      hint: 'hotcell probe report --list shows those that are kept',
      cause,
    });
  }
}

/** The newest first. One that was killed has a folder and no result: it hides no other. */
export async function listScans(homeFolder: string): Promise<readonly string[]> {
  const folder = resultsFolder(homeFolder);
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => idPattern.test(name))
    .toSorted()
    .toReversed();
  const listed: string[] = [];
  for (const name of newest) {
    if (listed.length === mostScans) break;
    if (await access(join(folder, name, fileName)).then(isTrue, isFalse)) listed.push(name);
  }
  return listed;
}
