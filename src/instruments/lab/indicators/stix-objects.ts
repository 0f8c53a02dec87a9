import { uuid5 } from './uuid.ts';

export type StixObject = { readonly type: string; readonly [property: string]: unknown };

/** The namespace that the standard names for ids of observables. */
const observableNamespace = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** Ours, for everything else. */
const ownNamespace = '5d6c9a5e-3f0f-5d57-9d0a-7b2f5b1c6f10';

/** The properties of an observable that make its id, in the canonical form of JSON (keys sorted, no blanks). */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** All that our observables hold besides the type contributes to the id. */
export function observableId({ type, ...properties }: StixObject): string {
  return `${type}--${uuid5(observableNamespace, canonicalJson(properties))}`;
}

/** `subject` keeps the objects of one sample apart from those of another. */
export function stixIds(subject: string): {
  readonly observable: (object: StixObject) => string;
  readonly domain: (type: string, key: string) => string;
} {
  return {
    observable: observableId,
    domain: (type, key) => `${type}--${uuid5(ownNamespace, JSON.stringify([subject, type, key]))}`,
  };
}
