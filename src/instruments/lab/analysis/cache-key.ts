import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import type { HeldSample } from '../samples/room.ts';
import type { CacheKey } from './cache.ts';
import type { AnalyseOrder } from './order.ts';

/** Everything that a result depends on besides the bytes: who looks, with which programs and rules, and how it was asked. */

const mostRuleFiles = 5000;

/** Names, sizes and dates: rules that were edited are other rules. */
async function describeRules(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(
    names
      .toSorted()
      .slice(0, mostRuleFiles)
      .map(async (name) => {
        const found = await stat(join(folder, name)).catch(() => null);
        return `${name} ${found?.size ?? 0} ${found?.mtimeMs ?? 0}`;
      }),
  );
}

export async function cacheKey(lab: Lab, sample: HeldSample, order: AnalyseOrder): Promise<CacheKey> {
  const { depth, toolTimeoutMs, passwords, isDetonated, detonationSeconds } = order;
  const { rulesFolders, confinement } = lab.options;
  return {
    sha256: sample.sha256,
    depends: {
      form: 2,
      analysers: (await lab.analysers.entries()).map(({ id, version }) => `${id} ${version}`),
      programs: [...(await lab.programs())].toSorted(([left], [right]) => (left < right ? -1 : 1)),
      place: lab.connector.place,
      confinement,
      rules: await Promise.all(rulesFolders.map(describeRules)),
      // Names are part of what is said of a file: its ending, an archive's password.
      name: sample.name,
      path: sample.path,
      depth,
      toolTimeoutMs,
      passwords,
      seconds: isDetonated ? detonationSeconds : null,
    },
  };
}
