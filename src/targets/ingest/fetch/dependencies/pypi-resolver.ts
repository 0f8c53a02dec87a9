import { HostError } from '../../../../base/errors.ts';
import type { PypiTarget } from '../../target/contract.ts';
import { type Candidate, selectCandidate } from '../pip-select.ts';
import type { PipSource } from '../pip-source.ts';
import {
  type DependencyEdge,
  type DependencyGraph,
  defaultResolveLimits,
  type ResolvedPackage,
  type ResolveLimits,
  type UnresolvedDependency,
} from './contract.ts';
import type { MarkerEnvironment } from './markers.ts';
import { mapBounded } from './pool.ts';
import { type PythonMetadata, readRequirement } from './python-metadata.ts';

export interface PypiReader {
  listCandidates: PipSource['listCandidates'];
  readMetadata(candidate: Candidate): Promise<PythonMetadata | undefined>;
}

interface Chosen {
  readonly candidate: Candidate;
  readonly specifier: string;
  readonly extras: ReadonlySet<string>;
}

const join = (...specifiers: readonly string[]): string => specifiers.filter((one) => one !== '').join(',');

/**
 * Breadth first and without going back: every later requirement narrows the choice, and one that leaves nothing is told
 * as a conflict. An installer may find another combination there.
 */
export async function resolvePypi(
  requires: readonly string[],
  extras: readonly string[],
  reader: PypiReader,
  environment: MarkerEnvironment,
  limits: ResolveLimits = defaultResolveLimits,
): Promise<DependencyGraph> {
  const deadline = Date.now() + limits.timeoutMs;
  const pythonVersion = environment.python_full_version ?? '';
  const chosen = new Map<string, Chosen>();
  const packages = new Map<string, ResolvedPackage & { readonly wants: readonly PypiTarget[] }>();
  const unresolved: UnresolvedDependency[] = [];
  let isComplete = true;

  async function choose(wanted: PypiTarget): Promise<boolean> {
    const before = chosen.get(wanted.name);
    const specifier = join(before?.specifier ?? '', wanted.specifier);
    let candidate: Candidate | undefined;
    try {
      candidate = selectCandidate(await reader.listCandidates(wanted.name), specifier, pythonVersion);
    } catch (error) {
      if (error instanceof HostError) throw error;
    }
    if (candidate === undefined) {
      const why = before === undefined ? 'no file fits' : 'it conflicts with another requirement';
      unresolved.push({ kind: 'normal', name: wanted.name, range: wanted.specifier, why });
      return false;
    }
    const all = new Set([...(before?.extras ?? []), ...wanted.extras]);
    const isSame = before?.candidate.version === candidate.version && before.extras.size === all.size;
    chosen.set(wanted.name, { candidate, specifier, extras: all });
    return !isSame;
  }

  function readWants(texts: readonly string[], having: readonly string[]): PypiTarget[] {
    return texts.flatMap((text) => {
      const requirement = readRequirement(text, having, environment);
      if (requirement?.why !== undefined)
        unresolved.push({ kind: 'normal', name: text.slice(0, 200), range: '', why: requirement.why });
      return requirement?.target ?? [];
    });
  }

  async function readPackage(name: string): Promise<PypiTarget[]> {
    const now = chosen.get(name);
    if (now === undefined) return [];
    const { candidate, extras: wanted } = now;
    const metadata = await reader.readMetadata(candidate);
    if (metadata === undefined) {
      unresolved.push({
        kind: 'normal',
        name,
        range: `==${candidate.version}`,
        why: 'only a build would tell what it requires',
      });
    }
    const wants = readWants(metadata?.requires ?? [], [...wanted]);
    const hash = candidate.file.hashes.get('sha256');
    packages.set(name, {
      ecosystem: 'pypi',
      name,
      version: candidate.version,
      wants,
      dependencies: [],
      // A source archive is built on install, and building runs its code.
      hasInstallScript: candidate.kind === 'sdist',
      ...(hash === undefined ? {} : { integrity: `sha256-${Buffer.from(hash, 'hex').toString('base64')}` }),
      ...(metadata?.licence === undefined ? {} : { licence: metadata.licence }),
    });
    return wants;
  }

  const edgeOf = ({ name, specifier }: PypiTarget): DependencyEdge => {
    const version = chosen.get(name)?.candidate.version;
    return { name, range: specifier, kind: 'normal', ...(version === undefined ? {} : { version }) };
  };

  const direct = readWants(requires, extras);
  let level: readonly PypiTarget[] = direct;
  while (level.length > 0) {
    if (chosen.size > limits.maxPackages || Date.now() > deadline) {
      isComplete = false;
      break;
    }
    const changed = new Set<string>();
    await mapBounded([...new Set(level.map(({ name }) => name))], limits.concurrency, (name) =>
      reader.listCandidates(name).catch((error: unknown) => {
        if (error instanceof HostError) throw error;
      }),
    );
    for (const wanted of level) if (await choose(wanted)) changed.add(wanted.name);
    level = (await mapBounded([...changed], limits.concurrency, readPackage)).flat();
  }
  // Answers arrive in any order; the graph must not depend on it.
  const byName = <Named extends { readonly name: string }>(left: Named, right: Named): number =>
    left.name < right.name ? -1 : 1;
  return {
    direct: direct.map(edgeOf),
    packages: [...packages.values()]
      .sort(byName)
      .map(({ wants, ...rest }) => ({ ...rest, dependencies: wants.map(edgeOf) })),
    unresolved: unresolved.sort(byName),
    isComplete,
  };
}
