import { analyzeToolset } from './analyze/index.ts';
import type { Toolset, ToolsetId } from './contract.ts';
import { guardToolset } from './guard/index.ts';

export type { AnswerPart, ToolAnswer } from './answer.ts';
export { callTool, type ToolHost, usualAnswerBytes } from './call-tool.ts';
export { type JobBoardLimits, OpenJobBoard, openJobBoard, usualJobLimits } from './job-board.ts';
export { openToolLedger, type ToolLedger } from './open-tool-ledger.ts';

/** Every toolset; one line each. */
export const toolsets: Readonly<Partial<Record<ToolsetId, Toolset>>> = {
  analyze: analyzeToolset,
  guard: guardToolset,
};
