import { asArray, asObject, asString, asStrings, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import type { Advisory, Affected, AffectedRange, RangeEvent } from './advisory.ts';
import { baseScore, severityOfScore, severityOfWord } from './cvss.ts';

/** A record in the OSV schema. A database of a million of them holds broken ones: those give undefined. */

const mostAffected = 2_000;
const mostEvents = 2_000;
const mostVersions = 20_000;

function eventOf(value: unknown): RangeEvent {
  const event = asObject(value);
  const [introduced, fixed, limit] = [asString(event.introduced), asString(event.fixed), asString(event.limit)];
  const lastAffected = asString(event.last_affected);
  return {
    ...(introduced === undefined ? {} : { introduced }),
    ...(fixed === undefined ? {} : { fixed }),
    ...(lastAffected === undefined ? {} : { lastAffected }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function rangeOf(value: unknown): readonly AffectedRange[] {
  const range = asObject(value);
  const type = range.type;
  if (type !== 'SEMVER' && type !== 'ECOSYSTEM' && type !== 'GIT') return [];
  return [{ type, events: asArray(range.events).slice(0, mostEvents).map(eventOf) }];
}

function affectedOf(value: unknown): readonly Affected[] {
  const affected = asObject(value);
  const entry = asObject(affected.package);
  const [ecosystem, name] = [asString(entry.ecosystem), asString(entry.name)];
  if (ecosystem === undefined || name === undefined) return [];
  return [
    {
      ecosystem: ecosystem.split(':', 1)[0] ?? ecosystem,
      name,
      ranges: asArray(affected.ranges).flatMap(rangeOf),
      versions: asStrings(affected.versions).slice(0, mostVersions),
    },
  ];
}

function vectorsOf(record: JsonObject): readonly string[] {
  const all = [
    ...asArray(record.severity),
    ...asArray(record.affected).flatMap((item) => asArray(asObject(item).severity)),
  ];
  return all.flatMap((item) => asString(asObject(item).score) ?? []);
}

function cwesOf(record: JsonObject): readonly string[] {
  const specific = asObject(record.database_specific);
  return [
    ...asStrings(specific.cwe_ids),
    ...asArray(specific.cwes).flatMap((item) => asString(asObject(item).cweId) ?? []),
  ].filter((id) => /^CWE-\d+$/.test(id));
}

export function parseOsv(record: unknown, provenance: string): Advisory | undefined {
  if (!isObject(record)) return undefined;
  const id = asString(record.id);
  if (id === undefined || !/^[A-Za-z0-9][\w.:-]{0,127}$/.test(id)) return undefined;
  const scores = vectorsOf(record).flatMap((vector) => baseScore(vector) ?? []);
  const score = scores.length === 0 ? undefined : Math.max(...scores);
  const specific = asObject(record.database_specific);
  const ecosystemSpecific = asObject(asObject(asArray(record.affected)[0]).ecosystem_specific);
  const stated = severityOfWord(specific.severity) ?? severityOfWord(ecosystemSpecific.severity);
  const summary = asString(record.summary) ?? asString(record.details)?.split('\n', 1)[0] ?? id;
  return {
    id,
    aliases: asStrings(record.aliases).slice(0, 50),
    kind: id.startsWith('MAL-') ? 'malicious' : 'vulnerability',
    summary: summary.slice(0, 500),
    severity: stated ?? (score === undefined ? undefined : severityOfScore(score)),
    score,
    cwe: [...new Set(cwesOf(record))],
    affected: asArray(record.affected).slice(0, mostAffected).flatMap(affectedOf),
    withdrawn: asString(record.withdrawn),
    modified: asString(record.modified),
    references: asArray(record.references)
      .flatMap((item) => asString(asObject(item).url) ?? [])
      .slice(0, 5),
    provenance,
  };
}
