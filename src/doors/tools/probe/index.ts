import { findAvailable } from '../../../instruments/probe/obstacle.ts';
import { scanners } from '../../../instruments/probe/scanners/index.ts';
import { jobCancel } from '../analyze/job-cancel.ts';
import { jobResult } from '../analyze/job-result.ts';
import { jobStatus } from '../analyze/job-status.ts';
import { readOutput } from '../analyze/read-output.ts';
import type { Toolset } from '../contract.ts';
import { defineProbeTool } from './define-probe-tool.ts';
import { getScope } from './get-scope.ts';

/** A model that reads the list should not have to try. */
async function findUnavailable(): Promise<ReadonlyMap<string, string>> {
  const found = await findAvailable(scanners);
  return new Map(found.flatMap(({ name, because }) => (because === null ? [] : [[name, because] as const])));
}

export const probeToolset: Toolset = {
  id: 'probe',
  title: 'Scan APIs within a scope',
  tools: [getScope, ...scanners.map(defineProbeTool), jobStatus, jobResult, jobCancel, readOutput],
  prompts: [],
  resources: [],
  findUnavailable,
};
