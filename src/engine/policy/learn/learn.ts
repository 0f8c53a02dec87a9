import { posix } from 'node:path';
import type { Event } from '../../../base/event-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import type { FileRule, NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { isWithin } from '../paths.ts';
import { tierPolicy } from '../tiers.ts';
import { gatherNeeds, type Needs, type Seen } from './gather.ts';

/** The least privilege that a run has shown to be needed, each line with what asked for it. */

export interface LearnFacts {
  readonly name: string;
  /** The folders of the box, as the target saw them. */
  readonly folders: { readonly home: string; readonly work: string; readonly tmp: string };
  /** Decoys, relative to the home folder: reading one is never a need. */
  readonly decoys: readonly string[];
  /** Variables that the server was given because it asks for them. */
  readonly variables: readonly string[];
  readonly peakMemoryBytes: number | null;
  readonly peakProcesses: number | null;
}

export interface Refused {
  readonly what: string;
  readonly why: string;
  readonly seenIn: readonly string[];
}

export interface Learnt {
  readonly policy: Policy;
  /** What it did and should not need. */
  readonly refused: readonly Refused[];
}

const mostRules = 200;
/** More files than this in one folder, and the folder is meant. */
const mostFilesOfFolder = 4;
const memoryStep = 16 * mebibyte;
const leastMemory = 64 * mebibyte;
const spare = 1.5;
const kernelFolders = ['/proc', '/dev', '/sys'];

const idOf = (seq: number): string => `event:${seq}`;

function reason({ events, calls, count }: Seen, what: string): { readonly why: string; readonly seenIn: string[] } {
  const during = calls.length === 0 ? '' : `, during ${calls.join(', ')}`;
  return { why: `${what} ${count === 1 ? 'once' : `${count} times`}${during}`, seenIn: events.map(idOf) };
}

/** A path of the box in the words of a policy; null for what belongs to the kernel. */
function named(path: string, { home, work, tmp }: LearnFacts['folders']): string | null {
  if (kernelFolders.some((folder) => isWithin(path, folder))) return null;
  // The longest first: the work folder may lie in the home.
  const own = (
    [
      [work, '{work}'],
      [tmp, '{tmp}'],
      [home, '{home}'],
    ] as const
  ).toSorted(([left], [right]) => right.length - left.length);
  for (const [folder, name] of own) if (isWithin(path, folder)) return `${name}${path.slice(folder.length)}`;
  return path;
}

function together(seen: readonly Seen[]): Seen {
  return {
    events: seen.flatMap(({ events }) => events).slice(0, 5),
    calls: [...new Set(seen.flatMap(({ calls }) => calls))].slice(0, 5),
    count: seen.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Many files of one folder become the folder, so that a policy stays readable and the next file is not a surprise. */
function withFolders(paths: ReadonlyMap<string, Seen>): ReadonlyMap<string, Seen> {
  const byFolder = Map.groupBy([...paths], ([path]) => posix.dirname(path));
  const rules = new Map<string, Seen>();
  for (const [folder, files] of byFolder) {
    const isRoot = folder === '/' || /^\{(?:home|tmp|work)\}$/.test(folder);
    if (files.length > mostFilesOfFolder && !isRoot) rules.set(folder, together(files.map(([, seen]) => seen)));
    else for (const [path, seen] of files) rules.set(path, seen);
  }
  return rules;
}

/** The kernel itself opens the loader of a program, and no sensor sees that: whatever runs a program needs these. */
const loaderFolders = ['/lib', '/lib64'];
const loaderReason = 'the loader and the libraries that every program begins with';

/** The lines of the tier that were used at all, with what showed it. */
function usedLines(base: Policy, needs: Needs): FileRule[] {
  return base.files.flatMap((rule): FileRule[] => {
    if (rule.path.startsWith('{') || rule.access === 'write') return [];
    const used = [...needs.reads, ...needs.programs]
      .filter(([path]) => isWithin(path, rule.path))
      .map(([, seen]) => seen);
    const isLoader = loaderFolders.includes(rule.path) && needs.programs.size > 0;
    if (used.length === 0) return isLoader ? [{ path: rule.path, access: rule.access, why: loaderReason }] : [];
    return [{ path: rule.path, access: rule.access, ...reason(together(used), `${rule.why ?? 'used'}; used`) }];
  });
}

function isCovered(path: string, rules: readonly FileRule[]): boolean {
  return rules.some((rule) => isWithin(path, rule.path));
}

function fileRules(needs: Needs, facts: LearnFacts, base: Policy): FileRule[] {
  const system = usedLines(base, needs);
  const translate = (paths: ReadonlyMap<string, Seen>): Map<string, Seen> => {
    const out = new Map<string, Seen>();
    for (const [path, seen] of paths) {
      const name = named(path, facts.folders);
      if (name !== null && !isCovered(path, system)) out.set(name, seen);
    }
    return out;
  };
  const decoys = new Set(facts.decoys.map((path) => `{home}/${path}`));
  const writes = withFolders(parents(translate(needs.writes)));
  const reads = withFolders(new Map([...translate(needs.reads)].filter(([path]) => !decoys.has(path))));
  const programs = translate(needs.programs);
  const rules: FileRule[] = [
    ...system,
    { path: '{work}', access: 'execute', why: "the server's own code" },
    ...[...programs].map(([path, seen]): FileRule => ({ path, access: 'execute', ...reason(seen, 'run') })),
    ...[...writes].map(([path, seen]): FileRule => ({ path, access: 'write', ...reason(seen, 'written') })),
  ];
  const known = rules.map(({ path }) => path);
  const further = [...reads].filter(([path]) => !known.some((above) => isWithin(path, above)));
  return [
    ...rules,
    ...further.map(([path, seen]): FileRule => ({ path, access: 'read', ...reason(seen, 'read') })),
  ].slice(0, mostRules);
}

/** A file that is made needs its folder: the file itself is not there when the box is. */
function parents(paths: ReadonlyMap<string, Seen>): Map<string, Seen> {
  const out = new Map<string, Seen>();
  for (const [path, seen] of paths) {
    const folder = posix.dirname(path);
    const known = out.get(folder);
    out.set(folder, known === undefined ? seen : together([known, seen]));
  }
  return out;
}

function networkRules({ hosts }: Needs): NetworkRule[] {
  return [...hosts].map(([key, seen]): NetworkRule => {
    const [host = '', port = ''] = key.split(' ');
    return { host, port: Number(port), ...reason(seen, 'reached') };
  });
}

function limitsOf(base: Policy['limits'], { peakMemoryBytes, peakProcesses }: LearnFacts): Policy['limits'] {
  const memory =
    peakMemoryBytes === null
      ? base.memoryBytes
      : Math.max(leastMemory, Math.ceil((peakMemoryBytes * spare) / memoryStep) * memoryStep);
  const processes = peakProcesses === null ? base.processes : Math.max(8, Math.ceil(peakProcesses * spare));
  return { ...base, memoryBytes: memory, processes, diskBytes: Math.min(base.diskBytes, Math.floor(memory / 2)) };
}

function refusedOf({ decoys }: Needs): Refused[] {
  return [...decoys].map(([decoy, seen]) => ({ what: `reading ${decoy}`, ...reason(seen, 'read') }));
}

export async function learnPolicy(events: AsyncIterable<Event> | Iterable<Event>, facts: LearnFacts): Promise<Learnt> {
  const base = tierPolicy('LOW');
  const needs = await gatherNeeds(events);
  const network = networkRules(needs);
  const variables = new Set(facts.variables);
  return {
    policy: {
      ...base,
      name: facts.name.slice(0, 200),
      files: fileRules(needs, facts, base),
      environment: [
        ...base.environment,
        ...[...variables]
          .filter((name) => base.environment.every((rule) => rule.name !== name))
          .map((name) => ({ name, why: 'the server asks for it' })),
      ],
      network: network.length === 0 ? { mode: 'none', rules: [] } : { mode: 'allowlist', rules: network },
      limits: limitsOf(base.limits, facts),
    },
    refused: refusedOf(needs),
  };
}
