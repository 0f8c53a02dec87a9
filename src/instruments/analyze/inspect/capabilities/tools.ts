import type { HandlerRecord } from '../taint/contract.ts';
import type { ToolAnnotations, ToolDescription } from './contract.ts';
import type { Ref, Routine } from './ref.ts';
import type { Resolver } from './resolve.ts';
import type { Analysis } from './uses.ts';

/** A tool as its code describes it, with the functions that serve it. */
export interface FoundTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly annotations: ToolAnnotations;
  readonly handlers: readonly Routine[];
  readonly path: string;
  readonly line: number;
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const mostTools = 2_000;

function textOf(ref: Ref | undefined, resolver: Resolver): string | undefined {
  const meaning = ref === undefined ? undefined : resolver.resolve(ref);
  return meaning?.kind === 'text' ? meaning.text : undefined;
}

/** The fields of a record, wherever it stands; Python makes records by calling classes. */
function fieldOf(ref: Ref | undefined, name: string, resolver: Resolver): Ref | undefined {
  if (ref === undefined) return undefined;
  if (ref.kind === 'call' && ref.named.has(name)) return ref.named.get(name);
  if (ref.kind === 'name') {
    const definitions = ref.scope.find(ref.name)?.definitions ?? [];
    const made = definitions.find((definition) => definition.kind === 'call' && definition.named.size > 0);
    if (made !== undefined) return fieldOf(made, name, resolver);
  }
  const meaning = resolver.resolve(ref);
  if (meaning?.kind !== 'object') return undefined;
  const own = meaning.object.fields.get(name);
  if (own !== undefined) return own;
  return meaning.object.spread.map((spread) => fieldOf(spread, name, resolver)).find((field) => field !== undefined);
}

function annotationsOf(about: readonly Ref[], resolver: Resolver): ToolAnnotations {
  const records = about.flatMap((ref) => [fieldOf(ref, 'annotations', resolver), ref]);
  const found: Record<string, boolean> = {};
  for (const hint of hints) {
    for (const record of records) {
      const value = fieldOf(record, hint, resolver);
      if (value?.kind === 'truth') found[hint] ??= value.value;
    }
  }
  return found;
}

function handlersOf(ref: Ref | undefined, resolver: Resolver): readonly Routine[] {
  const meaning = ref === undefined ? undefined : resolver.resolve(ref);
  if (meaning?.kind === 'routine') return [meaning.routine];
  // `wrap(async () => …)`
  return ref?.kind === 'call' ? ref.args.flatMap((argument) => handlersOf(argument, resolver)).slice(0, 4) : [];
}

export function findTools(analysis: Analysis): readonly FoundTool[] {
  const { program, resolver } = analysis;
  const files = [...program.files.values()];
  const branches = new Map<string, Routine[]>();
  for (const [routine, names] of analysis.branches)
    for (const name of names) branches.set(name, [...(branches.get(name) ?? []), routine]);
  const tools = new Map<string, FoundTool>();
  for (const file of files) {
    for (const described of file.described) {
      const name = described.names.map((ref) => textOf(ref, resolver)).find((text) => text !== undefined);
      if (name === undefined || name.length > 200 || tools.size >= mostTools) continue;
      const direct = handlersOf(described.handler, resolver);
      const handlers = direct.length > 0 ? direct : (branches.get(name) ?? []);
      const annotations = annotationsOf(described.about, resolver);
      const known = tools.get(name);
      if (handlers.length === 0 && Object.keys(annotations).length === 0 && known !== undefined) continue;
      tools.set(name, {
        name,
        description:
          known?.description ??
          described.about
            .map((ref) => textOf(fieldOf(ref, 'description', resolver), resolver) ?? textOf(ref, resolver))
            .find((text) => text !== undefined),
        annotations: { ...known?.annotations, ...annotations },
        handlers: [...new Set([...(known?.handlers ?? []), ...handlers])],
        path: known?.path ?? file.path,
        line: known?.line ?? described.line,
      });
    }
  }
  return [...tools.values()];
}

/** Functions that serve every tool, or would if it were known which. */
export function findDispatchers({ program, resolver }: Analysis): readonly Routine[] {
  const refs = [...program.files.values()].flatMap((file) => file.dispatchers);
  return [...new Set(refs.flatMap((ref) => handlersOf(ref, resolver)))];
}

/** Adds what a capture and another analysis know: annotations by name, handlers by place. */
export function withKnown(
  found: readonly FoundTool[],
  { program }: Analysis,
  tools: readonly ToolDescription[],
  records: readonly HandlerRecord[],
): readonly FoundTool[] {
  const byName = new Map(found.map((tool) => [tool.name, tool]));
  for (const record of records) {
    if (record.kind !== 'tool' || record.name === undefined) continue;
    const begun =
      program.files
        .get(record.path)
        ?.routines.filter(({ line, parent }) => line === record.line && parent !== undefined) ?? [];
    const [routine] = begun;
    if (routine === undefined || begun.length > 1) continue;
    const known = byName.get(record.name) ?? {
      name: record.name,
      description: undefined,
      annotations: {},
      handlers: [],
      path: record.path,
      line: record.line,
    };
    byName.set(record.name, { ...known, handlers: [...new Set([...known.handlers, routine])] });
  }
  for (const { name, description, annotations } of tools) {
    const known = byName.get(name);
    if (known === undefined) continue;
    byName.set(name, {
      ...known,
      description: description ?? known.description,
      annotations: { ...known.annotations, ...annotations },
    });
  }
  return [...byName.values()];
}
