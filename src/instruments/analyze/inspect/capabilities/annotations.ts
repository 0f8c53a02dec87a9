import type { Finding, Severity } from '../../../../base/finding-schema.ts';
import { severities } from '../../../../base/finding-schema.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { ingredientsOf, textsOf } from './ingredients.ts';
import type { ReachedUse } from './reach.ts';
import type { Ref } from './ref.ts';
import type { Resolver } from './resolve.ts';
import { capabilityRules } from './rules.ts';
import type { FoundTool } from './tools.ts';
import type { Analysis, Use } from './uses.ts';

/** What tools say about themselves, against what their handlers lead to. */

export interface ReachingTool extends FoundTool {
  readonly reached: readonly ReachedUse[];
}

interface Deed {
  readonly what: string;
  readonly severity: Severity;
}

const temporary = /\b(?:te?mp|cache|caches|logs?)\b|\.(?:log|tmp|cache)\b/i;
const temporaryCalls =
  /(?:tmpdir|mkdtemp|mkdtempSync|gettempdir|NamedTemporaryFile|TemporaryDirectory|tmpName|getLogPath)$/;

/** Scratch files, caches and logs are nothing that a person would call a change. */
function isScratch(use: Use, { resolver }: Analysis): boolean {
  const { ref } = use.site;
  if (/^(?:tempfile|logging)\./.test(use.via) || /mkdtemp/.test(use.via)) return true;
  if (ref.kind !== 'call') return false;
  const path = ref.of.kind === 'member' && ref.args[0] === undefined ? ref.of.of : ref.args[0];
  const parts = path === undefined ? [] : ingredientsOf(path, resolver);
  const names = parts.flatMap((part: Ref) => (part.kind === 'name' || part.kind === 'member' ? [part.name] : []));
  const isTemporaryName = names.some(
    (name) => temporaryCalls.test(name) || /te?mp(?:[A-Z_]|$)|cache|log(?:File|Path|Dir|_)/i.test(name),
  );
  return isTemporaryName || textsOf(parts).some((text) => temporary.test(text));
}

const changingPrograms =
  /^(?:rm|mv|cp|dd|tee|ln|install|sh|bash|zsh|dash|cmd|powershell|pwsh|node|deno|bun|python\d?|perl|ruby|chmod|chown|kill|killall|pkill|curl|wget|npm|npx|pnpm|yarn|pip\d?|uv|uvx|apt|brew|sudo|ssh|scp|rsync|docker|kubectl|osascript|open|xdg-open)(?:\.exe)?$/i;

/** How a text begins, when it always begins so. */
function beginningOf(ref: Ref | undefined, resolver: Resolver, depth: number): string | undefined {
  if (ref === undefined || depth > 8) return undefined;
  switch (ref.kind) {
    case 'text':
      return ref.text;
    case 'mix':
      return beginningOf(ref.parts[0], resolver, depth + 1);
    case 'name': {
      const definitions = ref.scope.find(ref.name)?.definitions ?? [];
      const [first] = definitions.map((definition) => beginningOf(definition, resolver, depth + 1));
      return definitions.length === 1 || definitions.every(({ kind }) => kind === 'mix' || kind === 'text')
        ? first
        : undefined;
    }
    case 'call':
      return ref.of.kind === 'member' && /^(?:join|trim|concat)$/.test(ref.of.name)
        ? beginningOf(ref.of.of, resolver, depth + 1)
        : undefined;
    default: {
      const meaning = resolver.resolve(ref);
      return meaning?.kind === 'text' ? meaning.text : undefined;
    }
  }
}

/** The program that is started, when it is always the same. */
function programOf(use: Use, { resolver }: Analysis): string | undefined {
  const { ref } = use.site;
  const [command] = ref.kind === 'call' ? ref.args : [];
  if (command === undefined) return undefined;
  const text = beginningOf(command, resolver, 0);
  return /^([\w./-]{1,40})(?:\s|$)/
    .exec(text ?? '')?.[1]
    ?.split('/')
    .at(-1);
}

const changingMethods = /^(?:PUT|PATCH|DELETE)$/i;

/** The method of a request, when it is written out. */
export function methodOf(use: Use, { resolver }: Analysis): string | undefined {
  const { ref } = use.site;
  if (ref.kind !== 'call') return undefined;
  const last = use.via.split('.').at(-1) ?? '';
  if (/^(?:post|put|patch|delete|del)$/i.test(last)) return last === 'del' ? 'DELETE' : last.toUpperCase();
  for (const argument of [...ref.args, ...ref.named.values()]) {
    const meaning = resolver.resolve(argument);
    const method = meaning?.kind === 'object' ? meaning.object.fields.get('method') : undefined;
    const text = method === undefined ? undefined : resolver.resolve(method);
    if (text?.kind === 'text') return text.text.toUpperCase();
  }
  const named = ref.named.get('method') ?? (last === 'request' ? ref.args[0] : undefined);
  const text = named === undefined ? undefined : resolver.resolve(named);
  return text?.kind === 'text' && /^[A-Za-z]{3,7}$/.test(text.text) ? text.text.toUpperCase() : undefined;
}

function deedOf({ use, way }: ReachedUse, analysis: Analysis): Deed | undefined {
  const isNear = way.length <= 3;
  if (use.capability === 'file-write') {
    if (isScratch(use, analysis)) return undefined;
    if (use.destroys) return { what: 'deletes files', severity: isNear ? 'high' : 'medium' };
    return { what: 'writes files', severity: isNear ? 'medium' : 'low' };
  }
  if (use.capability === 'process') {
    const program = programOf(use, analysis);
    // `git log` only reads as well; a program that is chosen, or that changes things, does not.
    const isFixed = program !== undefined && !changingPrograms.test(program);
    return {
      what: program === undefined ? 'starts programs' : `starts ${program}`,
      severity: isNear && !isFixed ? 'medium' : 'low',
    };
  }
  if (use.capability !== 'network-out') return undefined;
  const method = methodOf(use, analysis);
  if (method === undefined || !/^(?:POST|PUT|PATCH|DELETE)$/.test(method)) return undefined;
  // Many services are asked with POST; the others are for changes alone.
  return { what: `sends ${method} requests`, severity: changingMethods.test(method) && isNear ? 'medium' : 'low' };
}

const rank = (severity: Severity): number => severities.indexOf(severity);

interface Lie {
  readonly rule: (typeof capabilityRules)[keyof typeof capabilityRules];
  readonly tool: ReachingTool;
  readonly what: string;
  readonly severity: Severity;
  readonly at: ReachedUse;
}

function liesOf(tool: ReachingTool, analysis: Analysis): readonly Lie[] {
  const { annotations, reached } = tool;
  const found: Lie[] = [];
  const deeds = reached.flatMap((at) => {
    const deed = deedOf(at, analysis);
    return deed === undefined ? [] : [{ ...deed, at }];
  });
  const [worst] = deeds.toSorted((left, right) => rank(right.severity) - rank(left.severity));
  if (annotations.readOnlyHint === true && worst !== undefined)
    found.push({ rule: capabilityRules.readOnlyLie, tool, ...worst });
  const at = reached.find(({ use }) => use.capability === 'network-out');
  if (annotations.openWorldHint === false && at !== undefined)
    found.push({ rule: capabilityRules.closedWorldLie, tool, what: at.use.via, severity: 'low', at });
  const destroying = deeds.find((deed) => deed.at.use.destroys);
  const isAnnotated = Object.keys(annotations).length > 0 && annotations.readOnlyHint !== true;
  if (isAnnotated && annotations.destructiveHint !== true && destroying !== undefined) {
    const severity = annotations.destructiveHint === false ? 'low' : 'info';
    found.push({ rule: capabilityRules.destruction, tool, ...destroying, severity });
  }
  return found;
}

/** One place that many tools lead to, such as a function that counts their use, is one finding. */
export function findLies(tools: readonly ReachingTool[], analysis: Analysis): readonly Finding[] {
  const lies = tools.flatMap((tool) => liesOf(tool, analysis));
  const groups = Map.groupBy(lies, ({ rule, at, what }) =>
    [rule.id, at.use.routine.file.path, at.use.line, what].join('\n'),
  );
  return [...groups.values()].flatMap((group) => {
    const [worst] = group.toSorted((left, right) => rank(right.severity) - rank(left.severity));
    return worst === undefined
      ? []
      : [
          findingOf(
            worst,
            group.map(({ tool }) => tool),
          ),
        ];
  });
}

const mostTools = 20;

function findingOf({ rule, at, what, severity, tool }: Lie, tools: readonly ReachingTool[]): Finding {
  const place = { path: at.use.routine.file.path, line: at.use.line };
  const steps = at.way.map(({ name, file, line }) => ({
    path: file.path,
    line,
    step: (name === '' ? 'handler' : name).slice(0, 200),
  }));
  const others = tools.filter((other) => other !== tool);
  const names = others.length === 0 ? tool.name : `${tool.name} and ${others.length} more`;
  return makeFinding(rule, {
    identity: [place.path, at.use.via, what, ...tools.map(({ name }) => name)],
    title: `${names}: ${rule.title.toLowerCase()} (${what})`,
    severity,
    locations: [
      ...[...others, tool]
        .slice(-mostTools)
        .map(({ name, path, line }) => ({ path, line, step: `${name} is described here`.slice(0, 200) })),
      ...steps,
      { ...place, step: at.use.via.slice(0, 200) },
    ],
    evidence: [{ kind: 'source', ref: `${place.path}:${place.line}`, excerpt: excerpt(at.use.via) }],
  });
}
