import type { Toolset } from '../contract.ts';
import { analyzeServer } from './analyze-server.ts';
import { explainRule } from './explain-rule.ts';
import { getFinding } from './get-finding.ts';
import { getPolicy } from './get-policy.ts';
import { getReport } from './get-report.ts';
import { jobCancel } from './job-cancel.ts';
import { jobResult } from './job-result.ts';
import { jobStatus } from './job-status.ts';
import { listRuns } from './list-runs.ts';
import { reviewServer, triageFinding } from './prompts.ts';
import { queryEvents } from './query-events.ts';
import { readOutput } from './read-output.ts';
import { replayFinding } from './replay-finding.ts';
import { resources } from './resources.ts';
import { runInBox } from './run-in-box.ts';
import { scanServer } from './scan-server.ts';

export const analyzeToolset: Toolset = {
  id: 'analyze',
  title: 'Analyze MCP servers',
  tools: [
    scanServer,
    analyzeServer,
    jobStatus,
    jobResult,
    jobCancel,
    listRuns,
    getReport,
    getFinding,
    replayFinding,
    getPolicy,
    explainRule,
    runInBox,
    queryEvents,
    readOutput,
  ],
  prompts: [reviewServer, triageFinding],
  resources,
};
