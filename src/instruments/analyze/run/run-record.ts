import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError, UsageError } from '../../../base/errors.ts';
import { formatJson } from '../../../base/format-json.ts';
import { budgetNames } from '../interrogate/trials/index.ts';

/** How a run was asked for, so that a part of it can be done again. Values of variables and headers are not kept. */

export const recordName = 'run.json';

const text = z.string().max(8192);

export const runRecordSchema = z.strictObject({
  format: z.literal('hotcell-run'),
  version: z.literal(1),
  /** As `parseTarget` reads it. */
  target: text,
  backend: z.string().max(32),
  budget: z.enum(budgetNames),
  mostMs: z.number().min(0),
  patienceMs: z.number().min(0),
  args: z.array(text).max(1000),
  props: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('service'), name: z.enum(['postgres', 'redis']) }),
        z.strictObject({ kind: z.literal('program'), name: z.string().max(64), text: z.string().max(4096) }),
      ]),
    )
    .max(1000),
  /** Names of variables and headers that were given. */
  variables: z.array(z.string().max(200)).max(1000),
  headers: z.array(z.string().max(200)).max(1000),
  hasNetwork: z.boolean(),
  seed: z.string().max(200),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

export async function writeRunRecord(folder: string, record: RunRecord): Promise<void> {
  await writeFile(join(folder, recordName), formatJson(record), { mode: 0o600 });
}

/** Null where the folder holds none, as that of a report which was brought here alone. */
export async function readRunRecord(folder: string): Promise<RunRecord | null> {
  const path = join(folder, recordName);
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new UsageError(`cannot read ${path}: ${describeError(cause)}`, { cause });
  }
  try {
    return runRecordSchema.parse(JSON.parse(content));
  } catch (cause) {
    const because = cause instanceof z.ZodError ? z.prettifyError(cause) : describeError(cause);
    throw new UsageError(`${path} is no record of a run: ${because}`, { cause });
  }
}
