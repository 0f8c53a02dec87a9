import { describeError, HostError } from '../../../../../base/errors.ts';
import { asArray, asObject, asString, isObject } from '../../../../../base/json-shape.ts';
import type { Component } from '../../sbom/index.ts';
import type { Advisory } from '../advisory.ts';
import { defaultMostBytes, defaultTimeoutMs, type HttpClient, requestJson } from '../http.ts';
import { type Match, matchAdvisory, osvEcosystems } from '../match.ts';
import { parseOsv } from '../osv-record.ts';
import { type AdvisorySource, unreachable } from '../source.ts';

/** The OSV API: one question for a thousand packages gives ids, and each id is then read in full. */

const batchSize = 1000;
const mostPages = 20;
const mostRecords = 2000;
const inFlight = 8;

export interface OsvApiOptions {
  readonly client: HttpClient;
  /** Such as `https://api.osv.dev`. */
  readonly host: string;
  readonly timeoutMs?: number;
}

interface Asked {
  readonly component: Component;
  readonly pageToken?: string;
}

interface Ids {
  readonly component: Component;
  readonly ids: readonly string[];
}

async function askBatch(
  options: OsvApiOptions,
  batch: readonly Asked[],
): Promise<{ readonly ids: readonly Ids[]; readonly more: readonly Asked[] }> {
  const queries = batch.map(({ component, pageToken }) => ({
    package: { name: component.name, ecosystem: osvEcosystems[component.ecosystem] },
    version: component.version,
    ...(pageToken === undefined ? {} : { page_token: pageToken }),
  }));
  const answer = await requestJson(options.client, {
    method: 'POST',
    url: new URL('/v1/querybatch', options.host).href,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries }),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    mostBytes: defaultMostBytes,
  });
  const results = asArray(asObject(answer).results);
  if (results.length !== batch.length)
    throw new HostError(`the OSV API answered ${results.length} of ${batch.length} questions`);
  const ids = batch.map(({ component }, index) => ({
    component,
    ids: asArray(asObject(results[index]).vulns).flatMap((vulnerability) => asString(asObject(vulnerability).id) ?? []),
  }));
  const more = batch.flatMap(({ component }, index) => {
    const pageToken = asString(asObject(results[index]).next_page_token);
    return pageToken === undefined ? [] : [{ component, pageToken }];
  });
  return { ids, more };
}

async function askAll(options: OsvApiOptions, components: readonly Component[]): Promise<readonly Ids[]> {
  const found: Ids[] = [];
  let waiting: readonly Asked[] = components.map((component) => ({ component }));
  for (let page = 0; waiting.length > 0; page += 1) {
    if (page >= mostPages) throw new HostError(`the OSV API has more than ${mostPages} pages of answers`);
    const more: Asked[] = [];
    for (let at = 0; at < waiting.length; at += batchSize) {
      const answer = await askBatch(options, waiting.slice(at, at + batchSize));
      found.push(...answer.ids);
      more.push(...answer.more);
    }
    waiting = more;
  }
  return found;
}

async function readRecords(options: OsvApiOptions, ids: readonly string[]): Promise<ReadonlyMap<string, Advisory>> {
  if (ids.length > mostRecords)
    throw new HostError(`the OSV API names ${ids.length} advisories, more than ${mostRecords}`);
  const records = new Map<string, Advisory>();
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const url = new URL(`/v1/vulns/${encodeURIComponent(id)}`, options.host).href;
      const value = await requestJson(options.client, {
        method: 'GET',
        url,
        timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
        mostBytes: defaultMostBytes,
      });
      const advisory = isObject(value) ? parseOsv(value, 'OSV') : undefined;
      if (advisory !== undefined) records.set(id, advisory);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return records;
}

export function osvApiSource(options: OsvApiOptions): AdvisorySource {
  const source = { id: 'osv-api', title: 'OSV API' };
  return {
    ...source,
    ask: async ({ components, now }) => {
      const asked = components.filter(({ version, origin }) => version !== undefined && origin === undefined);
      try {
        const found = await askAll(options, asked);
        const records = await readRecords(options, [...new Set(found.flatMap(({ ids }) => ids))]);
        const matches = found.flatMap(({ component, ids }): readonly Match[] =>
          ids.flatMap((id) => {
            const advisory = records.get(id);
            // Its word that a version is affected is checked again: a range can be judged differently, and is then ours.
            return advisory === undefined ? [] : (matchAdvisory(component, advisory, source.id) ?? []);
          }),
        );
        const unread = found
          .filter(({ ids }) => ids.some((id) => !records.has(id)))
          .map(({ component }) => component.purl);
        const notAsked = components.filter((component) => !asked.includes(component)).map(({ purl }) => purl);
        return {
          source: source.id,
          title: source.title,
          isReachable: true,
          because: undefined,
          dataAt: now.toISOString(),
          isFresh: true,
          covers: ['npm', 'pypi'],
          matches,
          unanswered: [...new Set([...unread, ...notAsked])],
        };
      } catch (error) {
        return unreachable(source, describeError(error));
      }
    },
  };
}
