import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { pageOf } from '../page.ts';
import { count, countsSchema, cursorField, limitField, nextCursor } from './fields.ts';

const runLineSchema = z.strictObject({
  run: z.string().max(128),
  instrument: z.string().max(32).nullable(),
  target: z.string().max(9000).nullable(),
  started_at: z.string().max(64).nullable(),
  band: z.string().max(16).nullable(),
  risk: z.number().min(0).max(100).nullable(),
  findings: countsSchema.nullable(),
  problem: z.string().max(512).optional().describe('why nothing more is told of it'),
});
export type RunLine = z.infer<typeof runLineSchema>;

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'Runs that are kept',
  description: 'Lists past scans and analyses on this machine, the newest first.',
  toolset: 'analyze',
  input: z.strictObject({ limit: limitField(20, 100), cursor: cursorField }),
  output: z.strictObject({ runs: z.array(runLineSchema).max(100), total: count, cursor: nextCursor }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 128 * kibibyte },
  examples: [{ input: { limit: 5 }, says: 'the five newest' }],
  async handle({ limit, cursor }, { settings, out, limits, signal }) {
    const [{ keptRuns }, { runNamePattern, runsFolder }, { readRunLine }] = await Promise.all([
      import('../runs/load-run.ts'),
      import('../runs/run-folder.ts'),
      import('./run-line.ts'),
    ]);
    const runs = runsFolder(settings.values.home);
    const names = (await keptRuns(runs)).filter((name) => runNamePattern.test(name)).toReversed();
    const mostBytes = limits.outputBytes / 2;
    const wanted = pageOf(names, { cursor, limit, mostBytes: Number.POSITIVE_INFINITY }, (name) => name).entries;
    const lines = new Map<string, RunLine>();
    for (const name of wanted) {
      signal.throwIfAborted();
      lines.set(name, await readRunLine(runs, name));
    }
    const page = pageOf(names, { cursor, limit, mostBytes }, (name) => lines.get(name) ?? unread(name));
    out.say(
      `${page.entries.length} of ${page.total} runs${page.cursor === null ? '' : `; more with cursor "${page.cursor}"`}.`,
    );
    const text = page.entries
      .map(({ run, band, target }) => `${run} ${band ?? 'read only'} ${target ?? ''}`)
      .join('\n');
    if (text !== '') out.quote({ label: 'the list of runs', text });
    return { runs: [...page.entries], total: page.total, cursor: page.cursor };
  },
});

function unread(run: string): RunLine {
  return { run, instrument: null, target: null, started_at: null, band: null, risk: null, findings: null };
}
