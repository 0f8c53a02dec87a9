import { isJsonRecord, type Json, type JsonRecord } from '../../contract.ts';
import type { LabReport } from '../schema.ts';
import { type FactHint, factHints } from './hints.ts';

/** Facts as pairs, tables and texts, so that nobody has to read JSON. Every value is untrusted: whoever shows it escapes it. */

export interface ToldTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ToldText {
  readonly title: string;
  readonly text: string;
}

export interface ToldFacts {
  readonly id: string;
  readonly title: string;
  readonly pairs: readonly (readonly [string, string])[];
  readonly tables: readonly ToldTable[];
  readonly texts: readonly ToldText[];
}

type Facts = LabReport['analysers'][number]['facts'];
type Part =
  | { readonly pair: readonly [string, string] }
  | { readonly table: ToldTable }
  | { readonly text: ToldText }
  | null;

const longText = 160;
/** Above this a column stands behind the others, where it has room. */
const longCell = 40;
const mostRows = 300;
const mostColumns = 9;
const mostItems = 400;
const mostCell = 400;

function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

const acronyms: ReadonlySet<string> = new Set(
  'abi aslr clr cpu dep dkim dll dmarc dns guid html http id ip ja3 ja4 js mbc mime mvid nx ole pdb pie relro rva spf tls ui uri url vba xlm xml'.split(
    ' ',
  ),
);
/** Columns that only programs read. */
const jsonOnly: ReadonlySet<string> = new Set(['ja3_text', 'supported_versions']);

const words = (key: string): string =>
  key
    .slice(0, 80)
    .split('_')
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(' ');

function cellOf(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isScalar(value)) return String(value).slice(0, mostCell);
  if (Array.isArray(value)) {
    const shown = value.slice(0, 24).map(cellOf).join(', ');
    return `${shown}${value.length > 24 ? `, … (${value.length})` : ''}`.slice(0, mostCell);
  }
  return Object.entries(value)
    .filter(([, own]) => own !== null)
    .map(([key, own]) => `${words(key)} ${cellOf(own)}`)
    .join(', ')
    .slice(0, mostCell);
}

function tableOf(key: string, rows: readonly JsonRecord[]): Part {
  const shown = rows.slice(0, mostRows);
  const keys = [...new Set(shown.slice(0, 50).flatMap((row) => Object.keys(row)))]
    .slice(0, 64)
    .filter((own) => !jsonOnly.has(own));
  const filled = keys.filter((own) => shown.some((row) => cellOf(row[own] ?? null) !== '')).slice(0, mostColumns);
  if (filled.length === 0) return null;
  const isLong = (own: string): boolean => shown.some((row) => cellOf(row[own] ?? null).length > longCell);
  const ordered = [...filled.filter((own) => !isLong(own)), ...filled.filter(isLong)];
  const title = rows.length > shown.length ? `${words(key)} (the first ${shown.length} of ${rows.length})` : words(key);
  return {
    table: {
      title,
      columns: ordered.map(words),
      rows: shown.map((row) => ordered.map((own) => cellOf(row[own] ?? null))),
    },
  };
}

/** Rows with a piece of text that is meant to be read, such as a decoded layer. */
function textsOf(rows: readonly JsonRecord[]): readonly Part[] {
  return rows.slice(0, 40).map(({ preview, index: at, ...rest }) => {
    const { how = 'text', language = null, characters = null } = rest;
    const marks = [language, characters === null ? null : `${cellOf(characters)} characters`].filter(
      (mark) => mark !== null,
    );
    const number = typeof at === 'number' && at > 0 ? `layer ${at}: ` : '';
    return {
      text: { title: `${number}${cellOf(how)} (${marks.map(cellOf).join(', ')})`, text: String(preview ?? '') },
    };
  });
}

function listPart(key: string, value: readonly Json[]): readonly Part[] {
  if (value.length === 0) return [];
  const rows = value.filter(isJsonRecord);
  if (rows.length > 0)
    return rows.some(({ preview }) => typeof preview === 'string') ? textsOf(rows) : [tableOf(key, rows)];
  const items = value.slice(0, mostItems).map(cellOf);
  const joined = items.join(', ');
  if (items.length <= 12 && joined.length <= longText) return [{ pair: [words(key), joined] }];
  return [
    {
      text: {
        title: `${words(key)} (${value.length})`,
        text: items.join(items.every((item) => item.length <= longCell) ? ', ' : '\n'),
      },
    },
  ];
}

function recordPart(key: string, value: JsonRecord): readonly Part[] {
  const entries = Object.entries(value).filter(([, own]) => own !== null && own !== '');
  if (entries.length === 0) return [];
  // A moment: its other forms are for programs.
  if (typeof value.iso === 'string')
    return [{ pair: [words(key), value.plausible === false ? `${value.iso}, which is not plausible` : value.iso] }];
  if (entries.every(([, own]) => typeof own === 'boolean')) {
    const of = (wanted: boolean): string =>
      entries.flatMap(([own, is]) => (is === wanted ? [words(own)] : [])).join(', ');
    const text = [of(true) || 'none', of(false) === '' ? '' : `not ${of(false)}`]
      .filter((part) => part !== '')
      .join('; ');
    return [{ pair: [words(key), text] }];
  }
  if (entries.every(([, own]) => typeof own === 'number')) {
    const counts = entries.filter(([, own]) => own !== 0).map(([own, count]) => `${words(own)} ${String(count)}`);
    return counts.length === 0 ? [] : [{ pair: [words(key), counts.join(', ').slice(0, 2000)] }];
  }
  const flat = entries.filter(([, own]) => isScalar(own));
  const nested = entries.filter(([, own]) => !isScalar(own));
  const lines = flat.filter(([, own]) => own !== false).map(([own, each]) => [words(own), cellOf(each)] as const);
  const short = lines.length <= 6 && lines.map((line) => line.join(' ')).join(', ').length <= 260;
  const own: readonly Part[] =
    lines.length === 0
      ? []
      : short
        ? [{ pair: [words(key), lines.map((line) => line.join(' ')).join(', ')] }]
        : [{ table: { title: words(key), columns: ['name', 'value'], rows: lines.slice(0, mostRows) } }];
  const below = nested
    .slice(0, 24)
    .flatMap(([inner, each]): readonly Part[] =>
      Array.isArray(each)
        ? listPart(`${key}: ${inner}`, each)
        : [{ pair: [`${words(key)}: ${words(inner)}`, cellOf(each)] }],
    );
  return [...own, ...below];
}

function tell(key: string, value: Json, { telling = [] }: FactHint): readonly Part[] {
  if (value === null || value === '' || value === 0) return [];
  if (value === false) return telling.includes(key) ? [{ pair: [words(key), 'no'] }] : [];
  if (Array.isArray(value)) return listPart(key, value);
  if (isJsonRecord(value)) return recordPart(key, value);
  const text = typeof value === 'string' ? value : cellOf(value);
  return text.length > longText || text.includes('\n')
    ? [{ text: { title: words(key), text } }]
    : [{ pair: [words(key), text] }];
}

export function tellFacts(id: string, facts: Facts): ToldFacts {
  const hint = Object.hasOwn(factHints, id) ? factHints[id] : undefined;
  const { title, first = [], hidden = [] } = hint ?? { title: id };
  const keys = Object.keys(facts).filter((key) => !hidden.includes(key));
  const order = [...first.filter((key) => keys.includes(key)), ...keys.filter((key) => !first.includes(key))];
  const parts = order.slice(0, 200).flatMap((key) => tell(key, facts[key] ?? null, hint ?? { title }));
  return {
    id,
    title,
    pairs: parts.flatMap((part) => (part !== null && 'pair' in part ? [part.pair] : [])),
    tables: parts.flatMap((part) => (part !== null && 'table' in part ? [part.table] : [])),
    texts: parts.flatMap((part) => (part !== null && 'text' in part ? [part.text] : [])),
  };
}

export function isTelling({ pairs, tables, texts }: ToldFacts): boolean {
  return pairs.length + tables.length + texts.length > 0;
}
