import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import type { Knowledge } from '../arguments/index.ts';
import type { Complete } from './completion.ts';
import type { Proposal } from './contract.ts';
import type { ModelLimits } from './limits.ts';
import type { Meter } from './meter.ts';
import { makePrompt } from './prompt.ts';
import { type ReadProposals, readProposals } from './proposals.ts';
import { type ShownTool, showTool } from './shown-tools.ts';

/** Tools in batches, one question each, until all are asked about or the model cannot be asked any more. */

export interface Proposing {
  readonly complete: Complete;
  readonly meter: Meter;
  readonly limits: ModelLimits;
  readonly knowledge: Knowledge;
  readonly classes: readonly string[];
}

function toolsToShow(tools: readonly ListedTool[], { knowledge, limits }: Proposing, problems: string[]) {
  const shown = new Map<string, ShownTool>();
  for (const tool of tools.slice(0, limits.mostTools)) {
    const each = shown.has(tool.name) ? null : showTool(tool, knowledge);
    if (each !== null) shown.set(tool.name, each);
  }
  const left = tools.length - shown.size;
  if (left > 0) problems.push(`the model was not asked about ${left} of ${tools.length} tools`);
  return [...shown.values()];
}

export async function proposeInBatches(
  tools: readonly ListedTool[],
  proposing: Proposing,
  signal: AbortSignal,
): Promise<ReadProposals> {
  const { complete, meter, limits, classes } = proposing;
  const problems: string[] = [];
  const proposals: Proposal[] = [];
  const shown = toolsToShow(tools, proposing, problems);
  const until = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
  for (let at = 0; at < shown.length; at += limits.toolsPerRequest) {
    const batch = shown.slice(at, at + limits.toolsPerRequest);
    const left = `${shown.length - at} tools were left without proposals`;
    if (until.aborted) {
      problems.push(`the time for the model is over: ${left}`);
      break;
    }
    const completion = await complete(makePrompt(batch, classes, limits.answerTokens), meter, until);
    if (completion.kind === 'failure') {
      problems.push(`${completion.problem}: ${left}`);
      break;
    }
    if (completion.kind === 'refusal') {
      problems.push(completion.problem);
      continue;
    }
    const read = readProposals(completion.text, batch, classes);
    if (completion.isCut) problems.push('an answer of the model was cut off at its limit');
    problems.push(...read.problems);
    proposals.push(...read.proposals);
  }
  return { proposals, problems: [...new Set(problems)] };
}
