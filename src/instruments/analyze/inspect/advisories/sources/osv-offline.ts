import { describeError } from '../../../../../base/errors.ts';
import type { Ecosystem } from '../../sbom/index.ts';
import { keyOfComponent, matchAdvisory, osvEcosystems } from '../match.ts';
import { lookUp, readIndexMeta } from '../osv-index.ts';
import { type AdvisorySource, isFreshAt, unreachable } from '../source.ts';

export interface OsvOfflineOptions {
  /** The index that `importOsv` made. */
  readonly folder: string;
  readonly mostDays?: number;
}

const known = Object.keys(osvEcosystems) as readonly Ecosystem[];

export function osvOfflineSource({ folder, mostDays = 14 }: OsvOfflineOptions): AdvisorySource {
  const source = { id: 'osv-offline', title: 'OSV database on this machine' };
  return {
    ...source,
    ask: async ({ components, now }) => {
      try {
        const meta = readIndexMeta(folder);
        if (meta === undefined) return unreachable(source, 'no database was imported');
        const dataAt = meta.newestRecord ?? meta.importedAt;
        const advisories = lookUp(folder, components.map(keyOfComponent));
        return {
          source: source.id,
          title: source.title,
          isReachable: true,
          because: undefined,
          dataAt,
          isFresh: isFreshAt(dataAt, now, mostDays),
          // Some import one ecosystem only: the others are then not answered for.
          covers: known.filter((ecosystem) => meta.ecosystems.includes(osvEcosystems[ecosystem])),
          matches: components.flatMap((component) =>
            (advisories.get(keyOfComponent(component)) ?? []).flatMap(
              (advisory) => matchAdvisory(component, advisory, source.id) ?? [],
            ),
          ),
          unanswered: [],
        };
      } catch (error) {
        return unreachable(source, describeError(error));
      }
    },
  };
}
