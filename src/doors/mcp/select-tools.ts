import { UsageError } from '../../base/errors.ts';
import { findNearest } from '../../engine/policy/nearest.ts';
import type { PromptDefinition, ResourceDefinition, ToolDefinition, Toolset } from '../tools/contract.ts';

/** Which tools a server has. One that is switched off is not there at all: a model cannot be talked into calling it. */

export interface ToolChoice {
  /** Leaves out every tool that changes something. */
  readonly isReadOnly: boolean;
  /** Only these, where there are any. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface Selection {
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly resources: readonly ResourceDefinition[];
}

function refuseUnknown(flag: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const nearest = findNearest(name, known);
    throw new UsageError(`${flag}: there is no tool ${JSON.stringify(name.slice(0, 100))} in these toolsets`, {
      hint: nearest === null ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`,
    });
  }
}

function refuseContradiction(tools: readonly ToolDefinition[], { isReadOnly, allow, deny }: ToolChoice): void {
  const both = allow.find((name) => deny.includes(name));
  if (both !== undefined) throw new UsageError(`${both} is allowed and denied at once`);
  const writer = tools.find(({ name, annotations }) => isReadOnly && allow.includes(name) && !annotations.readOnly);
  if (writer === undefined) return;
  throw new UsageError(`--allow-tool ${writer.name}: it is not a tool that only reads`, {
    hint: 'leave out --read-only, or this tool',
  });
}

/** @throws UsageError for names that are not known and for choices that contradict each other or leave nothing. */
export function selectTools(toolsets: readonly Toolset[], choice: ToolChoice): Selection {
  // A tool may belong to more than one set: it is there once.
  const all = [...new Set(toolsets.flatMap(({ tools }) => tools))];
  const known = all.map(({ name }) => name);
  refuseUnknown('--allow-tool', choice.allow, known);
  refuseUnknown('--deny-tool', choice.deny, known);
  refuseContradiction(all, choice);
  const tools = all.filter(
    ({ name, annotations }) =>
      (choice.allow.length === 0 || choice.allow.includes(name)) &&
      !choice.deny.includes(name) &&
      (!choice.isReadOnly || annotations.readOnly),
  );
  if (tools.length === 0) throw new UsageError('no tool is left to serve', { hint: `there are ${known.join(', ')}` });
  return {
    tools,
    prompts: [...new Set(toolsets.flatMap(({ prompts }) => prompts))],
    resources: [...new Set(toolsets.flatMap(({ resources }) => resources))],
  };
}
