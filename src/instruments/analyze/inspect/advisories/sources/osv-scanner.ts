import { asArray, asObject, asString } from '../../../../../base/json-shape.ts';
import type { Ecosystem } from '../../sbom/index.ts';
import { matchAdvisory, osvEcosystems } from '../match.ts';
import { parseOsv } from '../osv-record.ts';
import type { Scanner } from './scanner.ts';

const ecosystems = new Map(Object.entries(osvEcosystems).map(([ours, theirs]) => [theirs, ours as Ecosystem]));

/** Ends with 1 when it found something. Its records are OSV's, so they are judged like all others. */
export const osvScanner: Scanner = {
  id: 'osv-scanner',
  title: 'osv-scanner',
  program: 'osv-scanner',
  arguments: (path) => ['scan', '--format', 'json', '--sbom', path],
  answers: [0, 1],
  covers: ['npm', 'pypi'],
  read: (output, find) =>
    asArray(asObject(output).results)
      .flatMap((result) => asArray(asObject(result).packages))
      .flatMap((item) => {
        const entry = asObject(asObject(item).package);
        const ecosystem = ecosystems.get(asString(entry.ecosystem) ?? '');
        const component =
          ecosystem === undefined
            ? undefined
            : find(ecosystem, asString(entry.name) ?? '', asString(entry.version) ?? '');
        if (component === undefined) return [];
        return asArray(asObject(item).vulnerabilities).flatMap((record) => {
          const advisory = parseOsv(record, 'OSV, through osv-scanner');
          return advisory === undefined ? [] : (matchAdvisory(component, advisory, 'osv-scanner') ?? []);
        });
      }),
};
