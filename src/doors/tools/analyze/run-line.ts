import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError } from '../../../base/errors.ts';
import { severities } from '../../../base/finding-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import { runFiles } from '../../../instruments/analyze/run/write-run.ts';
import { visibleText } from '../visible.ts';
import type { RunLine } from './list-runs.ts';
import { countFindings } from './summary.ts';

/** One run in a list. A report may be of another version: what is needed of it is read, and no more. */

const largestBytes = 64 * mebibyte;

const glimpseSchema = z.object({
  instrument: z.string().max(32),
  startedAt: z.string().max(64),
  subjects: z
    .array(
      z.object({
        target: z.object({ spec: z.string() }),
        findings: z.array(z.object({ severity: z.enum(severities) })),
        analysis: z
          .object({ verdict: z.object({ band: z.string().max(16), risk: z.number().min(0).max(100).nullable() }) })
          .optional(),
      }),
    )
    .max(1000),
});

export async function readRunLine(runs: string, run: string): Promise<RunLine> {
  const unread = { run, instrument: null, target: null, started_at: null, band: null, risk: null, findings: null };
  const path = join(runs, run, runFiles.json);
  try {
    if ((await stat(path)).size > largestBytes) return { ...unread, problem: 'its report is too large for a list' };
    const { instrument, startedAt, subjects } = glimpseSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    const verdict = subjects[0]?.analysis?.verdict;
    return {
      run,
      instrument: visibleText(instrument, 32),
      target: visibleText(subjects[0]?.target.spec ?? '', 512),
      started_at: visibleText(startedAt, 64),
      band: verdict === undefined ? null : visibleText(verdict.band, 16),
      risk: verdict?.risk ?? null,
      findings: countFindings(subjects.flatMap(({ findings }) => findings)),
    };
  } catch (error) {
    const problem = error instanceof z.ZodError ? 'its report is of another version' : describeError(error);
    return { ...unread, problem: visibleText(problem, 100) };
  }
}
