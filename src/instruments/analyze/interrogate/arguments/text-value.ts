import type { JsonObject } from '../../../../base/json-shape.ts';
import type { Random } from '../../../../engine/decoy/index.ts';
import { fits, offeredValues } from './fits.ts';
import { type MeaningTable, meaningOfFormat } from './meaning.ts';
import { compilePattern } from './pattern.ts';
import { fillText } from './template.ts';
import { type World, worldNames } from './world.ts';

/** An honest text for one argument: from the box where it names something that must exist, else from the schema. */

export interface TextPlace {
  readonly name: string;
  readonly description: string;
  /** Name of the tool, for arguments that it takes directly. */
  readonly tool?: string;
  readonly view: JsonObject;
  readonly root: unknown;
}

export interface TextSources {
  readonly world: World;
  readonly meanings: MeaningTable;
  readonly random: Random;
}

/** An example of these names something on the machine of whoever wrote it; only what the box has will do. */
const inTheBox = new Set(['file', 'folder', 'output', 'url', 'host', 'repository', 'database', 'table']);

const formatValues: Readonly<Record<string, string>> = {
  'date-time': '2025-06-01T12:00:00Z',
  date: '2025-06-01',
  time: '12:30:00Z',
  duration: 'P1D',
  email: 'ann@example.com',
  'idn-email': 'ann@example.com',
  hostname: 'www.example.com',
  'idn-hostname': 'www.example.com',
  ipv4: '192.0.2.7',
  ipv6: '2001:db8::7',
  uri: 'https://www.example.com/page.html',
  'uri-reference': '/page.html',
  iri: 'https://www.example.com/page.html',
  'iri-reference': '/page.html',
  'uri-template': 'https://www.example.com/{id}',
  url: 'https://www.example.com/page.html',
  uuid: '3f2b8c1e-6d4a-4b7f-9a1c-2e5d7f90ab12',
  'json-pointer': '/name',
  'relative-json-pointer': '1/name',
  regex: 'h[a-z]+',
  byte: 'aGVsbG8=',
  base64: 'aGVsbG8=',
  binary: 'hello',
  password: 't0k3n-for-this-call',
};

const longestText = 65_536;

export function meaningOf(
  { name, description, tool, view }: Pick<TextPlace, 'name' | 'description' | 'tool' | 'view'>,
  meanings: MeaningTable,
): string {
  return meaningOfFormat(view.format) ?? meanings.of(name, description, tool);
}

/** A file of the kind that the argument speaks of, such as `.jar` or "PDF". */
function fileFor({ name, description }: TextPlace, { files }: World): string | undefined {
  const words = new Set(
    `${name.replace(/([a-z])([A-Z])/g, '$1 $2')} ${description}`.toLowerCase().match(/[a-z0-9]+/g) ?? [],
  );
  const kind = Object.keys(files).find((each) => each !== 'text' && each !== 'nested' && words.has(each));
  return kind === undefined ? undefined : files[kind];
}

function worldTexts(place: TextPlace, meaning: string, { world, meanings }: TextSources): readonly string[] {
  const names = worldNames(world);
  const filled = meanings.valuesOf(meaning).map((value) => fillText(value, names));
  const special = meaning === 'file' ? fileFor(place, world) : undefined;
  const texts = filled.filter((text) => text !== null);
  return special === undefined ? texts : [special, ...texts];
}

function stretched(text: string, { minLength, maxLength }: JsonObject): string {
  const least = Math.min(typeof minLength === 'number' ? minLength : 0, longestText);
  const most = typeof maxLength === 'number' ? Math.max(0, maxLength) : longestText;
  const long = [...text];
  if (long.length < least) return text + 'a'.repeat(least - long.length);
  return long.length > most ? long.slice(0, most).join('') : text;
}

/** All candidates that fit, best first; there is always one, fitting or not. */
export function honestTexts(place: TextPlace, sources: TextSources): readonly string[] {
  const { view, root } = place;
  const meaning = meaningOf(place, sources.meanings);
  const ofWorld = worldTexts(place, meaning, sources);
  const offered = offeredValues(view, root).filter((value) => typeof value === 'string');
  const format = typeof view.format === 'string' ? formatValues[view.format] : undefined;
  const ofFormat = format === undefined ? [] : [format];
  const ranked = inTheBox.has(meaning)
    ? [...ofWorld.filter((text) => fitsFormat(text, view)), ...offered, ...ofFormat]
    : [...offered, ...ofFormat, ...ofWorld.filter(() => format === undefined)];
  const plain = format === undefined ? [...ranked, 'hello'] : ranked;
  const least = typeof view.minLength === 'number' ? Math.min(view.minLength, longestText) : 0;
  const pattern = typeof view.pattern === 'string' ? compilePattern(view.pattern) : null;
  const made = pattern?.make(least, sources.random.below) ?? null;
  const all = [...plain, ...(made === null ? [] : [made]), ...plain.map((text) => stretched(text, view))];
  const fitting = [...new Set(all)].filter((text) => fits(text, view, root));
  return fitting.length > 0 ? fitting : [made ?? stretched(plain[0] ?? 'hello', view)];
}

/** A name of the box is a host but no address, and its pages are not mere references. */
function fitsFormat(text: string, { format }: JsonObject): boolean {
  if (format === 'ipv4') return /^\d+\.\d+\.\d+\.\d+$/.test(text);
  if (format === 'ipv6') return text.includes(':') && !text.includes('/');
  if (format === 'uri' || format === 'url' || format === 'iri') return URL.canParse(text);
  return true;
}
