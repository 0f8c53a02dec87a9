import { z } from 'zod';

/** What one run of the tests came to. Written by the process that runs them, read by the one that reports. */
export const summarySchema = z.strictObject({
  passed: z.number().int(),
  failed: z.array(z.string()),
  skipped: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
});

export type Summary = z.infer<typeof summarySchema>;

export interface Verdict {
  readonly text: string;
  readonly exitCode: number;
}

/** The end of a test run: failures, skips with their reasons, and one last line of counts. */
export function judge(summary: Summary | null, runnerEnd: string | null): Verdict {
  const { passed, failed, skipped } = summary ?? { passed: 0, failed: [], skipped: [] };
  const broken = [
    ...failed,
    ...(summary === null ? [`the test runner gave no result${runnerEnd === null ? '' : ` (${runnerEnd})`}`] : []),
    ...(summary !== null && passed + failed.length === 0 ? ['no test ran'] : []),
    ...(summary !== null && failed.length === 0 && runnerEnd !== null ? [`the test runner failed (${runnerEnd})`] : []),
  ];
  const lines = [
    ...(skipped.length === 0 ? [] : ['', 'Skipped:']),
    ...skipped.map(({ name, reason }) => `  ${name}: ${reason}`),
    ...(broken.length === 0 ? [] : ['', 'Failed:']),
    ...broken.map((name) => `  ${name}`),
    '',
    `${passed} passed, ${broken.length} failed, ${skipped.length} skipped`,
  ];
  return { text: `${lines.join('\n')}\n`, exitCode: broken.length === 0 ? 0 : 1 };
}
