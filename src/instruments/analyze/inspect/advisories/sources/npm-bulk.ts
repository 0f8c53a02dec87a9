import semver from 'semver';
import { describeError } from '../../../../../base/errors.ts';
import { asArray, asNumber, asObject, asString, asStrings, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Component } from '../../sbom/index.ts';
import type { Advisory } from '../advisory.ts';
import { baseScore, severityOfScore, severityOfWord } from '../cvss.ts';
import { defaultMostBytes, defaultTimeoutMs, type HttpClient, requestJson } from '../http.ts';
import type { Match } from '../match.ts';
import { type AdvisorySource, unreachable } from '../source.ts';

/** What `npm audit` asks: all names and versions in one question to the registry of the user's own settings. */

export interface NpmBulkOptions {
  readonly client: HttpClient;
  /** The registry as npm's settings name it, with a path where it has one. */
  readonly registry: string;
  /** Credentials, as npm's settings give them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const mostPackages = 1000;

function toAdvisory(value: JsonObject): Advisory & { readonly range: string | undefined } {
  const url = asString(value.url);
  const id = /GHSA(?:-[0-9a-z]{4}){3}/.exec(url ?? '')?.[0] ?? `NPM-${String(value.id).slice(0, 32)}`;
  const cvss = asObject(value.cvss);
  const vector = asString(cvss.vectorString);
  const given = asNumber(cvss.score);
  const score =
    (vector === undefined ? undefined : baseScore(vector)) ?? (given === undefined || given <= 0 ? undefined : given);
  return {
    id,
    aliases: [],
    kind:
      /malware|malicious/i.test(asString(value.title) ?? '') || asStrings(value.cwe).includes('CWE-506')
        ? 'malicious'
        : 'vulnerability',
    summary: (asString(value.title) ?? id).slice(0, 500),
    severity: severityOfWord(value.severity) ?? (score === undefined ? undefined : severityOfScore(score)),
    score,
    cwe: asStrings(value.cwe).filter((cwe) => /^CWE-\d+$/.test(cwe)),
    affected: [],
    withdrawn: undefined,
    modified: undefined,
    references: url === undefined ? [] : [url],
    provenance: 'npm registry',
    range: asString(value.vulnerable_versions),
  };
}

function matchRange(component: Component, value: JsonObject, source: string): readonly Match[] {
  const { range, ...advisory } = toAdvisory(value);
  const { version } = component;
  if (version === undefined) return [];
  const isJudged =
    range !== undefined &&
    semver.validRange(range, { loose: true }) !== null &&
    semver.valid(version, { loose: true }) !== null;
  if (isJudged && !semver.satisfies(version, range, { includePrerelease: true, loose: true })) return [];
  return [{ component, advisory, answer: isJudged ? 'yes' : 'unknown', fixed: undefined, source }];
}

export function npmBulkSource(options: NpmBulkOptions): AdvisorySource {
  const source = { id: 'npm-bulk', title: 'advisories of the npm registry' };
  return {
    ...source,
    ask: async ({ components, now }) => {
      const asked = components.filter(
        ({ ecosystem, version, origin }) => ecosystem === 'npm' && version !== undefined && origin === undefined,
      );
      const byName = Map.groupBy(asked, ({ name }) => name);
      try {
        const matches: Match[] = [];
        const names = [...byName.keys()].sort();
        for (let at = 0; at < names.length; at += mostPackages) {
          const body = Object.fromEntries(
            names
              .slice(at, at + mostPackages)
              .map((name) => [name, (byName.get(name) ?? []).map(({ version }) => version)]),
          );
          const answer = await requestJson(options.client, {
            method: 'POST',
            url: new URL(
              '-/npm/v1/security/advisories/bulk',
              options.registry.endsWith('/') ? options.registry : `${options.registry}/`,
            ).href,
            headers: { 'content-type': 'application/json', ...options.headers },
            body: JSON.stringify(body),
            timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
            mostBytes: defaultMostBytes,
          });
          for (const [name, advisories] of Object.entries(asObject(answer))) {
            for (const component of byName.get(name) ?? []) {
              matches.push(
                ...asArray(advisories).flatMap((value) => matchRange(component, asObject(value), source.id)),
              );
            }
          }
        }
        return {
          source: source.id,
          title: source.title,
          isReachable: true,
          because: undefined,
          dataAt: now.toISOString(),
          isFresh: true,
          covers: ['npm'],
          matches,
          unanswered: components
            .filter((component) => component.ecosystem === 'npm' && !asked.includes(component))
            .map(({ purl }) => purl),
        };
      } catch (error) {
        return unreachable(source, describeError(error));
      }
    },
  };
}
