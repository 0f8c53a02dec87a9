import type { Severity } from '../../../../base/finding-schema.ts';
import type { Bom } from './cyclonedx.ts';

/** What is known against a package, for the list in the bill of materials. */
export interface KnownVulnerability {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly purl: string;
  readonly summary: string;
  readonly severity: Severity | undefined;
  readonly score: number | undefined;
  readonly cwe: readonly string[];
  readonly sources: readonly string[];
  readonly fixed: string | undefined;
}

export interface BomWithVulnerabilities extends Bom {
  readonly vulnerabilities: readonly unknown[];
}

/** CycloneDX takes the number of a weakness, and one entry per vulnerability with everything it affects. */
export function withVulnerabilities(bom: Bom, known: readonly KnownVulnerability[]): BomWithVulnerabilities {
  const rootPurl = bom.metadata.component.purl;
  const references = new Set(bom.components.map((component) => component['bom-ref']));
  const refOf = (purl: string): string | undefined =>
    references.has(purl) ? purl : purl === rootPurl ? bom.metadata.component['bom-ref'] : undefined;
  const byId = Map.groupBy(known, ({ id }) => id);
  const vulnerabilities = [...byId.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([id, group]) => {
      const [first] = group;
      const affects = [...new Set(group.flatMap(({ purl }) => refOf(purl) ?? []))].sort();
      if (first === undefined || affects.length === 0) return [];
      const cwes = first.cwe.map((cwe) => Number.parseInt(cwe.slice(4), 10)).filter((number) => number > 0);
      return [
        {
          'bom-ref': `vulnerability:${id}`,
          id,
          source: { name: first.sources.join(', ') },
          references: first.aliases
            .filter((alias) => alias !== id)
            .map((alias) => ({ id: alias, source: { name: first.sources[0] ?? 'unknown' } })),
          ratings: [
            {
              severity: first.severity ?? 'unknown',
              ...(first.score === undefined ? {} : { score: first.score, method: 'CVSSv31' }),
            },
          ],
          ...(cwes.length === 0 ? {} : { cwes }),
          description: first.summary.toWellFormed(),
          ...(first.fixed === undefined ? {} : { recommendation: `Update to ${first.fixed} or later.` }),
          affects: affects.map((ref) => ({ ref })),
        },
      ];
    });
  return { ...bom, vulnerabilities };
}
