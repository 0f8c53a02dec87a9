import type { Issue } from '../contract.ts';
import { type Component, type ComponentHash, type Ecosystem, type Graph, mostComponents } from './graph.ts';
import { makePurl } from './purl.ts';

/** What a reader says about one entry of a lock file. `key` is the reader's own name for it and links entries. */
export interface LockEntry {
  readonly key: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly range?: string | undefined;
  readonly hashes?: readonly ComponentHash[];
  readonly licences?: readonly string[];
  readonly isOptional?: boolean;
  readonly origin?: string | undefined;
  /** Keys of other entries; one that is not there makes the graph incomplete. */
  readonly needs: readonly string[];
  readonly optionallyNeeds?: readonly string[];
}

export interface Lock {
  readonly ecosystem: Ecosystem;
  readonly root: { readonly name?: string | undefined; readonly version?: string | undefined };
  readonly entries: readonly LockEntry[];
  /** Keys that the project itself needs to run. */
  readonly direct: readonly string[];
  readonly directDevelopment: readonly string[];
  readonly directOptional: readonly string[];
  /** What the reader could not resolve or left out, in words. */
  readonly problems: readonly string[];
  /** True when the file is no lock: versions or transitive packages are missing by nature. */
  readonly isPartial?: boolean;
}

/** Everything that can be reached from these keys along the given edges. Written as a loop: depth is the target's choice. */
function reach(
  start: readonly string[],
  entries: ReadonlyMap<string, LockEntry>,
  edges: (entry: LockEntry) => readonly string[],
): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [...start];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const entry = entries.get(key);
    if (entry === undefined || seen.has(key)) continue;
    seen.add(key);
    for (const next of edges(entry)) if (!seen.has(next)) waiting.push(next);
  }
  return seen;
}

const allNeeds = (entry: LockEntry): readonly string[] => [...entry.needs, ...(entry.optionallyNeeds ?? [])];

function unique<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}

function uniqueHashes(hashes: readonly ComponentHash[]): readonly ComponentHash[] {
  const byText = new Map(hashes.map((hash) => [`${hash.algorithm}:${hash.hex}`, hash]));
  return [...byText.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, hash]) => hash);
}

export function mergeComponents(left: Component, right: Component): Component {
  return {
    ...left,
    hashes: uniqueHashes([...left.hashes, ...right.hashes]),
    licences: unique([...left.licences, ...right.licences]).sort(),
    isDevelopment: left.isDevelopment && right.isDevelopment,
    isOptional: left.isOptional && right.isOptional,
    origin: left.origin ?? right.origin,
    dependsOn: unique([...left.dependsOn, ...right.dependsOn]).sort(),
  };
}

export function buildGraph(lock: Lock, path: string): Graph {
  const issues: Issue[] = lock.problems.map((problem) => ({ path, problem }));
  const kept = lock.entries.slice(0, mostComponents);
  if (kept.length < lock.entries.length) issues.push({ path, problem: `lists more than ${mostComponents} packages` });
  const entries = new Map<string, LockEntry>();
  const purls = new Map<string, string>();
  for (const entry of kept) {
    const purl = makePurl(lock.ecosystem, entry.name, entry.version);
    if (purl === undefined)
      issues.push({
        path,
        problem: `has an entry that is no package name: ${JSON.stringify(entry.name.slice(0, 80))}`,
      });
    else {
      entries.set(entry.key, entry);
      purls.set(entry.key, purl);
    }
  }
  const running = reach([...lock.direct, ...lock.directOptional], entries, allNeeds);
  const developing = reach(lock.directDevelopment, entries, allNeeds);
  const required = reach([...lock.direct, ...lock.directDevelopment], entries, (entry) => entry.needs);
  const missing = new Set<string>();
  const purlsOf = (keys: readonly string[]): string[] => {
    const found: string[] = [];
    for (const key of keys) {
      const purl = purls.get(key);
      if (purl === undefined) missing.add(key);
      else found.push(purl);
    }
    return unique(found).sort();
  };
  const drafts = new Map<string, Component>();
  for (const [key, entry] of entries) {
    const purl = purls.get(key) ?? '';
    const optional = (entry.optionallyNeeds ?? []).filter((needed) => purls.has(needed));
    const component: Component = {
      purl,
      ecosystem: lock.ecosystem,
      name: entry.name,
      version: entry.version,
      range: entry.range,
      hashes: uniqueHashes(entry.hashes ?? []),
      licences: unique(entry.licences ?? []).sort(),
      // What nothing reaches may still be loaded: it counts as running.
      isDevelopment: developing.has(key) && !running.has(key),
      isOptional: entry.isOptional === true || ((running.has(key) || developing.has(key)) && !required.has(key)),
      origin: entry.origin,
      dependsOn: purlsOf([...entry.needs, ...optional]),
    };
    const before = drafts.get(purl);
    drafts.set(purl, before === undefined ? component : mergeComponents(before, component));
  }
  const direct = purlsOf([
    ...lock.direct,
    ...lock.directDevelopment,
    ...lock.directOptional.filter((key) => purls.has(key)),
  ]);
  if (missing.size > 0) {
    const some = [...missing].slice(0, 5).join(', ');
    issues.push({ path, problem: `needs ${missing.size} packages that it does not list: ${some}` });
  }
  const components = [...drafts.values()].sort((left, right) => (left.purl < right.purl ? -1 : 1));
  const isPinned = components.every(({ version }) => version !== undefined);
  return {
    root: { name: lock.root.name ?? 'target', version: lock.root.version, ecosystem: lock.ecosystem },
    direct,
    components,
    sources: [path],
    isComplete: lock.isPartial !== true && issues.length === 0 && isPinned,
    issues,
  };
}
