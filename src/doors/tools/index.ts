import { analyzeToolset } from './analyze/index.ts';
import type { Toolset, ToolsetId } from './contract.ts';
import { guardToolset } from './guard/index.ts';
import { labToolset } from './lab/index.ts';
import { probeToolset } from './probe/index.ts';

export type { AnswerPart, ToolAnswer } from './answer.ts';
export { callTool, type ToolHost, usualAnswerBytes } from './call-tool.ts';
export { type JobBoardLimits, OpenJobBoard, openJobBoard, usualJobLimits } from './job-board.ts';
export { openToolLab, type ToolLab } from './open-tool-lab.ts';
export { openToolLedger, type ToolLedger } from './open-tool-ledger.ts';
export { openToolProbe, type ToolProbe } from './open-tool-probe.ts';

/** Every toolset; one line each. */
export const toolsets: Readonly<Partial<Record<ToolsetId, Toolset>>> = {
  analyze: analyzeToolset,
  guard: guardToolset,
  lab: labToolset,
  probe: probeToolset,
};
