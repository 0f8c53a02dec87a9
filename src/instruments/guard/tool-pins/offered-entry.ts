import { randomBytes } from 'node:crypto';
import { fingerprint, sha256 } from '../../../base/fingerprint.ts';
import { asString, isObject, type JsonObject } from '../../../base/json-shape.ts';
import { kibibyte } from '../../../base/limits.ts';
import { entriesOf } from '../../../targets/listings/entries.ts';
import type { EntryFields } from './documents.ts';

/** One entry of a list, in a form that is the same however its keys were ordered, and in which everything counts. */

export interface OfferedEntry {
  /** As the server gave it; empty where it gave none. */
  readonly name: string;
  /** What it is found again by: the name, or without one its content. */
  readonly identity: string;
  readonly fingerprint: string;
  readonly fields: EntryFields;
}

interface Part {
  /** Where the entries stand in an answer, and what names one. */
  readonly list: string;
  readonly name: string;
  /** Fields that change by themselves. */
  readonly restless: readonly string[];
}

const parts: Readonly<Record<string, Part>> = {
  tools: { list: 'tools', name: 'name', restless: [] },
  prompts: { list: 'prompts', name: 'name', restless: [] },
  resources: { list: 'resources', name: 'uri', restless: ['size', 'annotations'] },
  templates: { list: 'resourceTemplates', name: 'uriTemplate', restless: ['annotations'] },
};
const otherPart: Part = { list: 'entries', name: 'name', restless: [] };

/** More than a conversation takes; what is beyond is never approved. */
export const mostEntries = 5000;
const mostFields = 100;
const longestFieldName = 200;
const longestText = 64 * kibibyte;
/** Above it only a hash is kept, and a change has no lines to show. */
const mostKept = 384 * kibibyte;
/** Below it nothing is ever cut. */
const certainlyWhole = 32 * kibibyte;

function boundText(text: string): string {
  return text.length <= longestText
    ? text
    : `${text.slice(0, longestText - 100)}[cut, sha256 ${sha256(text.toWellFormed())}]`;
}

/** Sorted keys, one value per line; lists whose order means nothing in a schema are sorted too. */
function jsonLines(value: unknown): string {
  const listing = { tools: [{ name: '', inputSchema: value }], prompts: [], resources: [], problems: [], raw: [] };
  return entriesOf(listing).get('tool ')?.fields.get('inputSchema') ?? '';
}

function wholeText(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** No record can hold the one name that the language keeps for itself. */
function fieldName(key: string): string {
  return key === '__proto__' ? '"__proto__"' : key.slice(0, longestFieldName);
}

function fieldsOf(entry: JsonObject, { restless }: Part): EntryFields {
  const whole = wholeText(entry);
  // What is nested too deep to be written down is never the same as anything.
  if (whole === null) return { everything: `too deep to be looked at, ${randomBytes(16).toString('hex')}` };
  const keys = Object.keys(entry).filter((key) => !restless.includes(key));
  const isCut = keys.length > mostFields || keys.some((key) => key.length > longestFieldName);
  const fields = keys.slice(0, mostFields).map((key): [string, string] => {
    const value = entry[key];
    return [fieldName(key), boundText(typeof value === 'string' ? value : jsonLines(value))];
  });
  // A hash of all of it counts what the bounds cut off.
  const all = whole.length > certainlyWhole || isCut ? [['everything', `sha256 ${sha256(whole)}`] as const] : [];
  const sorted = [...fields, ...all].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const kept = Object.fromEntries(sorted.map(([key, text]) => [key.toWellFormed(), text.toWellFormed()]));
  return JSON.stringify(kept).length <= mostKept ? kept : { everything: `sha256 ${sha256(whole)}` };
}

function readEntry(entry: unknown, part: Part): OfferedEntry {
  const object = isObject(entry) ? entry : { entry };
  const fields = fieldsOf(object, part);
  const name = asString(object[part.name]) ?? '';
  const content = fingerprint(fields);
  return { name, identity: name === '' ? `\0${content}` : name, fields, fingerprint: content };
}

/** `offered` may be the list, or the answer that it stands in. */
function listOf(offered: unknown, { list }: Part): readonly unknown[] {
  if (Array.isArray(offered)) return offered;
  const inside = isObject(offered) ? offered[list] : undefined;
  return Array.isArray(inside) ? inside : [];
}

export function readOffered(part: string, offered: unknown): readonly OfferedEntry[] {
  if (part === 'instructions') {
    if (typeof offered !== 'string' || offered === '') return [];
    return [{ ...readEntry({ text: offered }, otherPart), identity: part }];
  }
  const known = Object.hasOwn(parts, part) ? (parts[part] ?? otherPart) : otherPart;
  return listOf(offered, known).map((entry) => readEntry(entry, known));
}
