import type { AnalysedTool } from '../../../base/analysis-schema.ts';
import { excerpt } from '../inspect/rule.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import type { ToolBehaviour } from '../judge/index.ts';

/** The tools of a server: what they say of themselves beside what they did. */

const mostTools = 2000;
const longestName = 256;
const longestDescription = 2048;

export function toolsOf({ listing, tools, made }: Detonated, { byTool }: ToolBehaviour): AnalysedTool[] {
  const sessions = new Map(tools.map((session) => [session.tool.name, session.honest]));
  const trials = Map.groupBy(made, ({ trial }) => trial.tool);
  return (listing?.tools ?? []).slice(0, mostTools).map((tool): AnalysedTool => {
    const honest = sessions.get(tool.name) ?? [];
    const hints = Object.entries(tool.annotations ?? {}).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean' && entry[0].length <= 64,
    );
    return {
      name: excerpt(tool.name, longestName),
      ...(tool.description === undefined ? {} : { description: excerpt(tool.description, longestDescription) }),
      annotations: Object.fromEntries(hints.slice(0, 16)),
      honestCalls: honest.length,
      answered: honest.filter(({ result }) => result.outcome === 'answered').length,
      trials: trials.get(tool.name)?.length ?? 0,
      observed: [...(byTool.get(tool.name)?.observed ?? [])].slice(0, 16),
      contradicted: [...(byTool.get(tool.name)?.contradicted ?? [])].slice(0, 16),
    };
  });
}
