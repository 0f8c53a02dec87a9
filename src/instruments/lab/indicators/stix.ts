import { indicatorKinds } from './kinds/index.ts';
import { type StixObject, stixIds } from './stix-objects.ts';
import type { Indicator, IndicatorResult } from './types.ts';

export const stixMarkings = ['clear', 'green', 'amber', 'red'] as const;
export type StixMarking = (typeof stixMarkings)[number];

export interface StixOptions {
  /** What was searched: untrusted, kept as a value. */
  readonly name: string;
  /** Of the sample that they were found in. */
  readonly sha256?: string;
  readonly tlp?: StixMarking;
  /** The moment that all objects bear; now when it is not given. */
  readonly at?: Date;
}

/** The markings that the standard itself defines; `clear` was called white then. */
const markings: Readonly<Record<StixMarking, readonly [id: string, tlp: string]>> = {
  clear: ['613f2e26-407d-48c7-9eca-b8e91df99dc9', 'white'],
  green: ['34098fce-860f-48ae-8e50-ebd3cc5e41da', 'green'],
  amber: ['f88d31f6-486f-44da-b317-01333bde0b82', 'amber'],
  red: ['5e57c739-391a-4eb3-b6be-7d15ca92d5ed', 'red'],
};

export function stixLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export function stixPattern({ type, value }: Pick<Indicator, 'type' | 'value'>): string | undefined {
  const form = indicatorKinds.find((kind) => kind.type === type)?.stix;
  if (form === undefined) return undefined;
  const comparison =
    form.comparison?.(value, stixLiteral) ?? `${form.path} = ${form.isNumber ? value : stixLiteral(value)}`;
  return `[${comparison}]`;
}

function references(indicator: Indicator): StixObject | undefined {
  if (indicator.type === 'cve')
    return {
      type: 'vulnerability',
      name: indicator.value,
      external_references: [{ source_name: 'cve', external_id: indicator.value }],
    };
  if (indicator.type === 'attack_technique')
    return {
      type: 'attack-pattern',
      name: indicator.value,
      external_references: [{ source_name: 'mitre-attack', external_id: indicator.value }],
    };
  return undefined;
}

/** A STIX 2.1 bundle of what is no noise. The same result at the same moment gives the same bundle. */
export function toStix(result: Pick<IndicatorResult, 'indicators'>, options: StixOptions): StixObject {
  const at = (options.at ?? new Date()).toISOString();
  const ids = stixIds(options.sha256 ?? options.name);
  const marking = options.tlp === undefined ? undefined : markings[options.tlp];
  const marked = marking === undefined ? {} : { object_marking_refs: [`marking-definition--${marking[0]}`] };
  const domain = { spec_version: '2.1', created: at, modified: at, ...marked };
  const objects = new Map<string, StixObject>();
  const members: string[] = [];
  const add = (object: StixObject): string => {
    const id = String(object.id);
    if (!objects.has(id)) members.push(id);
    objects.set(id, object);
    return id;
  };
  const addObservable = (object: StixObject): string =>
    add({ ...object, spec_version: '2.1', id: ids.observable(object), ...marked });
  const addDomain = (object: StixObject, key: string): string =>
    add({ ...object, id: ids.domain(String(object.type), key), ...domain });
  const relate = (kind: string, source: string, target: string): void => {
    if (source === target) return;
    addDomain(
      { type: 'relationship', relationship_type: kind, source_ref: source, target_ref: target },
      `${source} ${kind} ${target}`,
    );
  };
  const sample = options.sha256 && addObservable({ type: 'file', hashes: { 'SHA-256': options.sha256.toLowerCase() } });
  const rest: Indicator[] = [];
  for (const indicator of result.indicators.filter(({ noise }) => noise === undefined)) {
    const named = references(indicator);
    if (named !== undefined) {
      addDomain(named, indicator.value);
      continue;
    }
    const pattern = stixPattern(indicator);
    if (pattern === undefined) {
      rest.push(indicator);
      continue;
    }
    const key = `${indicator.type} ${indicator.value}`;
    const id = addDomain(
      {
        type: 'indicator',
        name: `${indicator.type}: ${indicator.value}`.slice(0, 250),
        indicator_types: ['unknown'],
        pattern,
        pattern_type: 'stix',
        valid_from: at,
        confidence: Math.round(indicator.confidence * 100),
      },
      key,
    );
    const form = indicatorKinds.find(({ type }) => type === indicator.type)?.stix?.observable;
    if (form === undefined) continue;
    const observable = addObservable(form(indicator.value));
    const observed = addDomain(
      {
        type: 'observed-data',
        first_observed: at,
        last_observed: at,
        number_observed: Math.min(indicator.count, 999_999_999),
        object_refs: [observable],
      },
      key,
    );
    relate('based-on', id, observed);
    if (sample) relate('related-to', observable, sample);
  }
  if (rest.length > 0) {
    // Only a note can hold these, and a note has to be about something: the software that found them.
    const about = members[0] ?? addDomain({ type: 'tool', name: 'Hotcell', tool_types: ['unknown'] }, 'tool');
    const content = rest.map(({ type, value }) => `${type}: ${value}`).join('\n');
    addDomain(
      { type: 'note', abstract: 'Indicators that have no form of their own', content, object_refs: [about] },
      'rest',
    );
  }
  if (members.length > 0) {
    addDomain({ type: 'grouping', name: options.name, context: 'malware-analysis', object_refs: [...members] }, 'all');
  }
  if (marking !== undefined) {
    const definition = {
      type: 'marking-definition',
      spec_version: '2.1',
      id: `marking-definition--${marking[0]}`,
      created: '2017-01-20T00:00:00.000Z',
      definition_type: 'tlp',
      name: `TLP:${marking[1].toUpperCase()}`,
      definition: { tlp: marking[1] },
    };
    return { type: 'bundle', id: ids.domain('bundle', at), objects: [definition, ...objects.values()] };
  }
  return { type: 'bundle', id: ids.domain('bundle', at), objects: [...objects.values()] };
}
