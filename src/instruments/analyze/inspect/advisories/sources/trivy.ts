import { asArray, asObject, asString, asStrings, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Component, Ecosystem } from '../../sbom/index.ts';
import { baseScore, severityOfScore, severityOfWord } from '../cvss.ts';
import type { Match } from '../match.ts';
import type { Scanner } from './scanner.ts';

const ecosystems: ReadonlyMap<string, Ecosystem> = new Map([
  ['node-pkg', 'npm'],
  ['npm', 'npm'],
  ['python-pkg', 'pypi'],
  ['pip', 'pypi'],
]);

function matchOf(value: JsonObject, component: Component): Match | undefined {
  const id = asString(value.VulnerabilityID);
  if (id === undefined) return undefined;
  const scores = Object.values(asObject(value.CVSS)).flatMap(
    (vendor) => baseScore(asString(asObject(vendor).V3Vector) ?? '') ?? [],
  );
  const score = scores.length === 0 ? undefined : Math.max(...scores);
  const url = asString(value.PrimaryURL);
  return {
    component,
    advisory: {
      id,
      aliases: asStrings(value.VendorIDs),
      kind: 'vulnerability',
      summary: (asString(value.Title) ?? id).slice(0, 500),
      severity: severityOfWord(value.Severity) ?? (score === undefined ? undefined : severityOfScore(score)),
      score,
      cwe: asStrings(value.CweIDs).filter((cwe) => /^CWE-\d+$/.test(cwe)),
      affected: [],
      withdrawn: undefined,
      modified: asString(value.LastModifiedDate),
      references: url === undefined ? [] : [url],
      provenance: 'trivy',
    },
    answer: 'yes',
    fixed: asString(value.FixedVersion)?.split(',', 1)[0]?.trim(),
    source: 'trivy',
  };
}

/** `Vulnerabilities` is null where there are none. */
export const trivy: Scanner = {
  id: 'trivy',
  title: 'trivy',
  program: 'trivy',
  arguments: (path) => ['sbom', '--quiet', '--format', 'json', '--scanners', 'vuln', path],
  answers: [0],
  covers: ['npm', 'pypi'],
  read: (output, find) =>
    asArray(asObject(output).Results).flatMap((result) => {
      const ecosystem = ecosystems.get(asString(asObject(result).Type) ?? '');
      return asArray(asObject(result).Vulnerabilities).flatMap((value) => {
        const vulnerability = asObject(value);
        const [name, version] = [asString(vulnerability.PkgName) ?? '', asString(vulnerability.InstalledVersion) ?? ''];
        const component = ecosystem === undefined ? undefined : find(ecosystem, name, version);
        return component === undefined ? [] : (matchOf(vulnerability, component) ?? []);
      });
    }),
  freshness: {
    arguments: ['version', '--format', 'json'],
    read: (output) => asString(asObject(asObject(output).VulnerabilityDB).UpdatedAt),
    mostDays: 14,
  },
};
