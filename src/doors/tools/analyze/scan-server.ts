import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { callerOf } from '../runs/caller.ts';
import { commandField, offlineField, targetField } from './fields.ts';
import { summarise, summarySchema, tellSummary } from './summary.ts';

export const scanServer = defineTool({
  name: 'scan_server',
  title: 'Read an MCP server without running it',
  description:
    'Inspects code, dependencies, secrets and metadata of one MCP server; nothing of it is executed. Packages and advisories are fetched unless offline. The report is kept as a run for get_report and get_finding.',
  toolset: 'analyze',
  input: z.strictObject({
    target: targetField.optional(),
    command: commandField,
    offline: offlineField,
  }),
  output: summarySchema,
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limits: { timeoutMs: 15 * minuteMs, outputBytes: 64 * kibibyte },
  examples: [
    { input: { target: './my-server' }, says: 'a folder' },
    { input: { target: 'npm:some-server@1.0.0' }, says: 'a published package' },
    { input: { command: ['npx', '-y', 'some-server'], offline: true }, says: 'what that command would start' },
  ],
  async handle({ target, command, offline }, context) {
    const [{ planOne }, { makeContext }, { openRunFolder }, { ruleCatalogue, scan }, { writeRun }, { entriesOf }] =
      await Promise.all([
        import('./plan-one.ts'),
        import('../runs/prepare.ts'),
        import('../runs/run-folder.ts'),
        import('../../../instruments/analyze/scan/index.ts'),
        import('../../../instruments/analyze/run/write-run.ts'),
        import('../runs/record-report.ts'),
      ]);
    const caller = callerOf(context);
    const { planned, problems } = await planOne({ target, command }, caller);
    const scanning = await makeContext({ offline }, caller, (phase) => context.progress({ phase }));
    const plan = { targets: [planned], configs: [], problems };
    const { report, boms } = await scan(plan, scanning);
    context.signal.throwIfAborted();
    const folder = await openRunFolder(undefined, caller, { flag: 'run', part: randomBytes(3).toString('hex') });
    const written = await writeRun({ report, bom: boms[0] ?? null, folder }, ruleCatalogue());
    for (const entry of entriesOf(report, { tool: 'scan_server', what: 'scan' })) await context.record(entry);
    const notes = [...problems, ...written.problems];
    const summary = summarise(report, { run: basename(folder), folder, notes });
    tellSummary(summary, context.out);
    return summary;
  },
});
