import type { Finding, Severity } from '../../../../base/finding-schema.ts';
import type { Inspected, Inspection, Issue } from '../contract.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { findLies, type ReachingTool } from './annotations.ts';
import {
  type Capability,
  type CapabilityId,
  type CapabilityOptions,
  type CapabilityReport,
  capabilityIds,
  type InspectedTool,
} from './contract.ts';
import { type Declared, judgeDeclarations, readDeclarations } from './declared.ts';
import { findEnvironmentSent, findHiddenCode, findPersistence } from './hostile.ts';
import { reachedFrom } from './reach.ts';
import { readCode } from './read-code.ts';
import { locationOf } from './report.ts';
import { capabilityRules } from './rules.ts';
import { readTable } from './table.ts';
import { findDispatchers, findTools, withKnown } from './tools.ts';
import { analyse, type Use } from './uses.ts';

export type {
  Capability,
  CapabilityId,
  CapabilityOptions,
  CapabilityReport,
  Declarations,
  InspectedTool,
  Place,
  ToolAnnotations,
  ToolDescription,
} from './contract.ts';
export { capabilityIds } from './contract.ts';
export { readDeclarations } from './declared.ts';
export { capabilityRules } from './rules.ts';

const mostPlaces = 50;

interface Served {
  readonly ids: ReadonlySet<CapabilityId>;
  readonly isComplete: boolean;
}

/** What the package's own code can reach, by what it calls, and whether it says so. Dependencies are not looked at here. */
export function inspectCapabilities(
  inspected: Inspected,
  options: CapabilityOptions = {},
): Inspection<CapabilityReport> {
  const { program, issues } = readCode(inspected);
  const analysis = analyse(program, readTable());
  const uses = [...analysis.uses.values()].flat();
  const tools = reachingTools(withKnown(findTools(analysis), analysis, options.tools ?? [], options.handlers ?? []));
  const declared = judgeDeclarations(options.declared ?? readDeclarations(inspected), [
    ...(options.tools ?? []),
    ...tools.map(asDescription),
  ]);
  const served = reachedByServer();
  const capabilities = capabilityIds.flatMap((id) => capabilityOf(id, uses, served, declared) ?? []);
  return {
    findings: oneEach([
      ...findHiddenCode(uses, analysis),
      ...findPersistence(uses, analysis, declared.hasInstaller),
      ...findEnvironmentSent(uses, analysis),
      ...findLies(tools, analysis),
      ...capabilities.flatMap((capability) => undeclared(capability, uses)),
      ...notAnalysed(issues),
    ]),
    issues,
    data: { capabilities, tools: tools.map(inspectedTool), analysedFiles: program.files.size },
  };

  /** What is not among them may still be reached, unless the handler of every tool was found. */
  function reachedByServer(): Served {
    const reached = reachedFrom(findDispatchers(analysis), { tool: '', tools: new Set() }, analysis);
    return {
      ids: new Set([...reached, ...tools.flatMap((tool) => tool.reached)].map(({ use }) => use.capability)),
      isComplete: tools.length > 0 && tools.every(({ handlers }) => handlers.length > 0),
    };
  }

  function reachingTools(found: ReturnType<typeof findTools>): readonly ReachingTool[] {
    const names = new Set(found.map(({ name }) => name));
    return found.map((tool) => ({
      ...tool,
      reached: reachedFrom(tool.handlers, { tool: tool.name, tools: names }, analysis),
    }));
  }
}

function asDescription({ name, description }: ReachingTool): { name: string; description?: string } {
  return { name, ...(description === undefined ? {} : { description }) };
}

function inspectedTool(tool: ReachingTool): InspectedTool {
  const { annotations, path, line, handlers, reached } = tool;
  const reaches = handlers.length === 0 ? undefined : [...new Set(reached.map(({ use }) => use.capability))];
  return { ...asDescription(tool), annotations, path, line, reaches };
}

/** The files stand in the order in which they were read; within one, by line. */
function inOrder(uses: readonly Use[]): readonly Use[] {
  const files = [...new Set(uses.map(({ routine }) => routine.file))];
  const byFile = Map.groupBy(uses, ({ routine }) => routine.file);
  return files.flatMap((file) => (byFile.get(file) ?? []).toSorted((left, right) => left.line - right.line));
}

function capabilityOf(
  id: CapabilityId,
  uses: readonly Use[],
  served: Served,
  declared: Declared,
): Capability | undefined {
  const own = inOrder(uses.filter(({ capability }) => capability === id));
  if (own.length === 0) return undefined;
  return {
    id,
    places: own.slice(0, mostPlaces).map((use) => ({ path: use.routine.file.path, line: use.line, via: use.via })),
    total: own.length,
    modules: [...new Set(own.map(({ module }) => module))].slice(0, mostPlaces),
    isReachedByHandlers: served.ids.has(id) || (served.isComplete ? false : 'unknown'),
    isDeclared: declared.says(id) ?? 'unknown',
  };
}

const undeclaredSeverity: Readonly<Partial<Record<CapabilityId, Severity>>> = {
  process: 'medium',
  'file-write': 'medium',
  clipboard: 'medium',
  keychain: 'medium',
  'network-listen': 'low',
  'network-out': 'low',
};

function undeclared(capability: Capability, uses: readonly Use[]): readonly Finding[] {
  const { id, isDeclared, isReachedByHandlers, total } = capability;
  const severity = undeclaredSeverity[id];
  if (isDeclared !== false || severity === undefined) return [];
  const own = inOrder(uses.filter((use) => use.capability === id)).slice(0, 10);
  return [
    makeFinding(capabilityRules.undeclared, {
      identity: [id],
      title: `Reaches ${id} in ${total} ${total === 1 ? 'place' : 'places'}, and no text mentions it`,
      severity: isReachedByHandlers === false ? 'low' : severity,
      locations: own.map(locationOf),
      evidence: own
        .slice(0, 3)
        .map((use) => ({ kind: 'source', ref: `${use.routine.file.path}:${use.line}`, excerpt: excerpt(use.via) })),
    }),
  ];
}

function notAnalysed(issues: readonly Issue[]): readonly Finding[] {
  if (issues.length === 0) return [];
  return [
    makeFinding(capabilityRules.notAnalysed, {
      identity: ['files'],
      title: `${issues.length} source ${issues.length === 1 ? 'file was' : 'files were'} not analysed for what the code reaches`,
      evidenceClass: 'U',
      locations: issues.slice(0, mostPlaces).map(({ path }) => ({ path })),
      evidence: issues
        .slice(0, 5)
        .map(({ path, problem }) => ({ kind: 'source', ref: path, excerpt: excerpt(problem) })),
    }),
  ];
}

function oneEach(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()];
}
