import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import {
  type ScannerDefinition,
  type ScanResult,
  scanResultSchema,
  scanStatuses,
} from '../../../instruments/probe/contract.ts';
import type { Probe } from '../../../instruments/probe/probe.ts';
import { waitField } from '../analyze/fields.ts';
import { startJob } from '../analyze/jobs.ts';
import type { JobStatus, ToolContext, ToolDefinition, ToolProgress } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { visible } from '../visible.ts';
import { fitResult } from './fit-result.ts';
import { recordedAim, recordedScan } from './recorded-scan.ts';
import { tellScan } from './tell-scan.ts';

/** A scanner as a tool: closed arguments in, one result out; what takes longer goes on as a job. */

const output = z.strictObject({
  ...scanResultSchema.shape,
  status: z.enum([...scanStatuses, 'running']).describe('running: ask job_result for it'),
  job: z.string().max(64).describe('id of the job that it was'),
});

const textBytes = 40_000;

function unfinished(
  scanner: ScannerDefinition,
  probe: Probe,
  target: string,
  { id: job, state }: JobStatus,
): z.input<typeof output> {
  const { name, fingerprint } = probe.scope;
  const status = state === 'cancelled' ? 'cancelled' : 'running';
  return {
    id: job,
    job,
    tool: scanner.name,
    target,
    command: [],
    status,
    exit_code: null,
    findings: [],
    notes:
      status === 'running'
        ? ['it is still running: job_result has it later, job_cancel ends it']
        : ['what there was is kept: hotcell probe report --list'],
    raw: '',
    raw_file: null,
    scope: { name, fingerprint },
    network: {
      by: probe.options.networkLayer,
      connections: null,
      requests: null,
      refused: [],
      capture: null,
      is_complete: false,
    },
    started: new Date().toISOString(),
    elapsed_ms: 0,
  };
}

function tellPhase(tell: (progress: ToolProgress) => void): (phase: string, share?: number) => void {
  return (phase, share) => tell({ phase, ...(share === undefined ? {} : { share }) });
}

export function defineProbeTool(scanner: ScannerDefinition): ToolDefinition {
  return defineTool({
    name: scanner.name,
    title: scanner.title,
    description: scanner.description,
    toolset: 'probe',
    closed: true,
    input: scanner.input.extend({
      wait_seconds: waitField
        .default(600)
        .describe('after this the answer is the id of a job that goes on; 0: at once'),
    }),
    output,
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    limits: { timeoutMs: 61 * minuteMs, outputBytes: 900 * kibibyte },
    examples: scanner.examples,
    async handle(given: Readonly<Record<string, unknown>>, context: ToolContext) {
      const { wait_seconds: waitSeconds, ...input } = given;
      const probe = await context.probe();
      // What is out of scope is an error of the call and not of a job that nobody asks for.
      const { label } = await recordedAim(probe, scanner, input, context.record);
      const { status, result } = await startJob<ScanResult>(
        {
          title: `${scanner.name} ${label}`,
          waitSeconds: Number(waitSeconds),
          work: async (signal, tell) => {
            const call = { signal, progress: tellPhase(tell), record: context.record };
            const kept = await recordedScan(probe, scanner, input, call);
            return fitResult(visible(kept.result, textBytes) as ScanResult);
          },
        },
        context,
      );
      if (result === null) {
        if (status.state === 'failed') throw status.thrown;
        return unfinished(scanner, probe, label, status) as never;
      }
      tellScan(result, context.out);
      return { ...result, job: status.id } as never;
    },
  });
}
