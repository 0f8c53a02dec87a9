import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TargetError, UsageError } from '../../../base/errors.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import type { FetchContext } from '../../../targets/ingest/fetch/contract.ts';
import type { DependencyGraph } from '../../../targets/ingest/fetch/dependencies/contract.ts';
import { ingest } from '../../../targets/ingest/ingest.ts';
import type { NpmTarget, PypiTarget, StartedTarget } from '../../../targets/ingest/target/contract.ts';
import { describeTarget } from '../../../targets/ingest/target/parse.ts';
import { type InstallPlan, planInstall } from '../../../targets/install/index.ts';
import { resolveNpmGraph } from '../../../targets/install/plan-npm.ts';
import { readPackageManifest } from './programs.ts';

/** Fetches what was asked for, and plans how it is laid out. Only bytes come here; nothing of them is run. */

export interface Gathered {
  readonly ingested: Ingested;
  readonly plan: InstallPlan;
  /** Null where the installer alone knows what belongs to it. */
  readonly graph: DependencyGraph | null;
  close(): Promise<void>;
}

const isNpm = (target: StartedTarget): target is NpmTarget => target.kind === 'npm';
const isPypi = (target: StartedTarget): target is PypiTarget => target.kind === 'pypi';

function requirementOf({ name, extras, specifier }: PypiTarget): string {
  return `${name}${extras.length === 0 ? '' : `[${extras.join(',')}]`}${specifier}`;
}

/** Several packages at once are the dependencies of a project that has nothing else. */
async function projectOf(targets: readonly StartedTarget[], folder: string): Promise<StartedTarget> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (targets.every(isNpm)) {
    const dependencies = Object.fromEntries(targets.map(({ name, wanted }) => [name, wanted.value]));
    const manifest = { name: 'app', version: '1.0.0', private: true, dependencies };
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`);
    return { kind: 'folder', path: folder };
  }
  if (targets.every(isPypi)) {
    const requires = targets.map((each) => JSON.stringify(requirementOf(each)));
    const text = `[project]\nname = "app"\nversion = "1.0.0"\ndependencies = [${requires.join(', ')}]\n`;
    await writeFile(join(folder, 'pyproject.toml'), text);
    return { kind: 'folder', path: folder };
  }
  throw new UsageError(`${targets.map(describeTarget).join(' and ')} cannot be installed together`, {
    hint: 'packages of one kind can be: npx -p one -p two PROGRAM, uvx --with two one',
  });
}

/** What could not be fetched and is needed: such a tree is not worth remembering. */
export function lostArchives(
  { ecosystem, problems }: Pick<InstallPlan, 'ecosystem' | 'problems'>,
  graph: DependencyGraph | null,
): readonly string[] {
  if (ecosystem === 'pypi') return problems.filter((line) => /^[a-z0-9][a-z0-9.-]* [0-9][^ ]*: /.test(line));
  if (graph === null) return problems.filter((line) => /^(?:@[^/ ]+\/)?[^@ ]+@[0-9][^ ]*: /.test(line));
  const optional = new Set(
    [...graph.direct, ...graph.packages.flatMap(({ dependencies }) => dependencies)].flatMap(({ name, kind }) =>
      kind === 'optional' ? [name] : [],
    ),
  );
  return problems.filter((line) => {
    const [, name] = /^((?:@[^/ ]+\/)?[^@ ]+)@[0-9][^ ]*: /.exec(line) ?? [];
    return name !== undefined && !optional.has(name);
  });
}

export async function gather(
  starts: StartedTarget,
  besides: readonly StartedTarget[],
  fetch: FetchContext,
  workFolder: string,
): Promise<Gathered> {
  const target = besides.length === 0 ? starts : await projectOf([starts, ...besides], join(workFolder, 'project'));
  const ingested = await ingest(target, { ...fetch, workFolder });
  try {
    const isProject = besides.length > 0 && isNpm(starts);
    const manifest = isNpm(target) || isProject ? readPackageManifest(join(ingested.folder, 'package.json')) : null;
    const own = { ...fetch, targetFolder: ingested.folder };
    const graph = manifest === null ? null : await resolveNpmGraph(manifest, own);
    const plan = await planInstall(ingested, fetch, { workFolder, ...(graph === null ? {} : { graph }) });
    const lost = lostArchives(plan, graph);
    if (lost.length === 0) {
      return {
        ingested,
        plan,
        graph,
        async close() {
          await plan.close();
          await ingested.close();
        },
      };
    }
    await plan.close();
    throw new TargetError(
      `${describeTarget(starts)}: not everything that it needs could be fetched: ${lost.join('; ')}`,
      {
        hint: 'check the network and try again',
      },
    );
  } catch (error) {
    await ingested.close();
    throw error;
  }
}
