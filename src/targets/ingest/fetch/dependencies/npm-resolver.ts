import semver from 'semver';
import { HostError, isKnownError } from '../../../../base/errors.ts';
import { isNpmName } from '../../target/npm-spec.ts';
import type { FetchContext } from '../contract.ts';
import { loadPacote } from '../npm.ts';
import { explainNpmError } from '../npm-errors.ts';
import { asFields, type Fields } from '../npm-metadata.ts';
import { readNpmSettings } from '../npm-settings.ts';
import {
  type DependencyEdge,
  type DependencyGraph,
  defaultResolveLimits,
  type ResolvedPackage,
  type ResolveLimits,
  type UnresolvedDependency,
  type WantedDependency,
} from './contract.ts';
import { type NpmVersions, pickVersion, readPackument, wantsOf } from './npm-packument.ts';
import { mapBounded } from './pool.ts';

/** Other sources than the registry are not followed: `file:`, `git+…`, `https://…`, `owner/name`. */
const otherSource = /^[a-z][a-z0-9+.-]*:|\//i;

/** `npm:other@range` is another package under this name. */
function realDependency({ name, range }: WantedDependency): { name: string; range: string } | undefined {
  const alias = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(range);
  const real = alias === null ? { name, range } : { name: alias[1] ?? '', range: alias[2] ?? '' };
  return isNpmName(real.name) && !otherSource.test(real.range) ? real : undefined;
}

export type ReadVersions = (name: string) => Promise<NpmVersions>;

/** Breadth first, one level at a time; a version that is there already is used again where it fits, as npm does. */
export async function resolveNpm(
  manifest: Fields,
  readVersions: ReadVersions,
  limits: ResolveLimits = defaultResolveLimits,
): Promise<DependencyGraph> {
  const deadline = Date.now() + limits.timeoutMs;
  const chosen = new Map<string, string[]>();
  const packages = new Map<string, ResolvedPackage>();
  const unresolved = new Map<string, UnresolvedDependency>();
  let isComplete = true;

  function choose(wanted: WantedDependency, versions: NpmVersions, range: string, name: string): string | undefined {
    const there = (chosen.get(name) ?? []).find((version) => semver.satisfies(version, range, { loose: true }));
    const version = there ?? pickVersion(versions, range);
    if (version === undefined || versions.read(version) === undefined) {
      unresolved.set(`${wanted.name}@${wanted.range}`, { ...wanted, why: 'no version fits' });
      return undefined;
    }
    if (there === undefined) chosen.set(name, [...(chosen.get(name) ?? []), version]);
    return version;
  }

  async function resolveLevel(wants: readonly WantedDependency[]): Promise<DependencyEdge[][]> {
    const found = await mapBounded(wants, limits.concurrency, async (wanted) => {
      const real = realDependency(wanted);
      if (real === undefined) return { wanted, why: 'not from a registry' };
      try {
        return { wanted, real, versions: await readVersions(real.name) };
      } catch (error) {
        if (error instanceof HostError) throw error;
        return { wanted, why: isKnownError(error) ? 'the registry does not have it' : 'its metadata cannot be read' };
      }
    });
    return found.map(({ wanted, why, real, versions }): DependencyEdge[] => {
      if (real === undefined || versions === undefined) {
        unresolved.set(`${wanted.name}@${wanted.range}`, { ...wanted, why: why ?? '' });
        return [wanted];
      }
      const version = choose(wanted, versions, real.range, real.name);
      return [version === undefined ? wanted : { ...wanted, name: real.name, version }];
    });
  }

  /** All documents of a level at once; who then needs one finds it there. */
  async function askAhead(wants: readonly WantedDependency[]): Promise<void> {
    const names = new Set(wants.flatMap((wanted) => realDependency(wanted)?.name ?? []));
    await mapBounded([...names], limits.concurrency, (name) => readVersions(name).catch(() => undefined));
  }

  const direct = (await resolveLevel(wantsOf(manifest))).flat();
  let level: readonly DependencyEdge[] = direct;
  while (level.length > 0) {
    const fresh = new Map<string, { name: string; version: string }>();
    for (const { name, version } of level) {
      if (version !== undefined && !packages.has(`${name}@${version}`))
        fresh.set(`${name}@${version}`, { name, version });
    }
    if (packages.size + fresh.size > limits.maxPackages || Date.now() > deadline) {
      isComplete = false;
      break;
    }
    const read = await mapBounded([...fresh.values()], limits.concurrency, async (one) => ({
      ...one,
      facts: (await readVersions(one.name)).read(one.version),
    }));
    await askAhead(read.flatMap(({ facts }) => facts?.wants ?? []));
    const next: DependencyEdge[] = [];
    for (const { name, version, facts } of read) {
      if (facts === undefined) continue;
      const dependencies = (await resolveLevel(facts.wants)).flat();
      const { integrity, licence, hasInstallScript } = facts;
      packages.set(`${name}@${version}`, {
        ecosystem: 'npm',
        name,
        version,
        dependencies,
        hasInstallScript,
        ...(integrity === undefined ? {} : { integrity }),
        ...(licence === undefined ? {} : { licence }),
      });
      next.push(...dependencies);
    }
    level = next;
  }
  return { direct, packages: [...packages.values()], unresolved: [...unresolved.values()], isComplete };
}

/** Documents of the registry through npm's settings, each asked for once. */
export async function createNpmVersions(context: FetchContext): Promise<ReadVersions> {
  const settings = await readNpmSettings(context);
  const pacote = await loadPacote();
  const known = new Map<string, Promise<NpmVersions>>();
  async function load(name: string): Promise<NpmVersions> {
    try {
      return readPackument(asFields(await pacote.packument(name, { ...settings, fullMetadata: true })));
    } catch (error) {
      throw explainNpmError(error, `npm package ${name}`);
    }
  }
  return (name) => {
    const one = known.get(name) ?? load(name);
    known.set(name, one);
    return one;
  };
}
