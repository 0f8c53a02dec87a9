import { isDictionary, type PdfDictionary, type PdfObject, type PdfValue } from './values.ts';

/** Names that say what a document can do. Counted wherever they stand, in object streams too. */
export const countedNames = [
  'JS',
  'JavaScript',
  'AA',
  'OpenAction',
  'AcroForm',
  'JBIG2Decode',
  'RichMedia',
  'Launch',
  'EmbeddedFile',
  'XFA',
  'URI',
  'SubmitForm',
  'GoToR',
  'GoToE',
  'ImportData',
  'ObjStm',
  'Encrypt',
] as const;

const wanted: ReadonlySet<string> = new Set(countedNames);
const mostDepth = 64;

export interface NameCount {
  readonly counts: ReadonlyMap<string, number>;
  /** Names that were written with needless `#xx`, decoded. */
  readonly disguised: ReadonlyMap<string, number>;
  readonly hugeColors: boolean;
}

/** Calls `visit` for each dictionary of a value, from the outside in. */
export function walkDictionaries(
  value: PdfValue,
  path: string,
  visit: (dictionary: PdfDictionary, path: string) => void,
  depth = 0,
): void {
  if (typeof value !== 'object' || depth > mostDepth) return;
  if (value.type === 'array') for (const item of value.items) walkDictionaries(item, path, visit, depth + 1);
  if (!isDictionary(value)) return;
  visit(value, path);
  for (const [key, entry] of value.entries) walkDictionaries(entry, `${path.slice(0, 120)}/${key}`, visit, depth + 1);
}

export function countNames(objects: readonly PdfObject[], more: readonly PdfDictionary[], tick: () => void): NameCount {
  const counts = new Map<string, number>();
  const disguised = new Map<string, number>();
  let hugeColors = false;
  const add = (map: Map<string, number>, name: string): void => {
    if (map.has(name) || map.size < 1000) map.set(name, (map.get(name) ?? 0) + 1);
  };
  const count = (value: PdfValue, depth: number): void => {
    if (typeof value !== 'object' || depth > mostDepth) return;
    if (value.type === 'name') {
      if (wanted.has(value.value)) add(counts, value.value);
      if (value.disguised) add(disguised, value.value);
    } else if (value.type === 'array') for (const item of value.items) count(item, depth + 1);
    else if (value.type === 'dictionary') {
      for (const [key, entry] of value.entries) {
        if (key.startsWith('#')) {
          add(disguised, key.slice(1));
          continue;
        }
        if (wanted.has(key)) add(counts, key);
        if (key === 'Colors' && typeof entry === 'number' && entry > 2 ** 24) hugeColors = true;
        count(entry, depth + 1);
      }
    }
  };
  let step = 0;
  for (const object of objects) {
    step += 1;
    if (step % 500 === 0) tick();
    count(object.value, 0);
  }
  for (const dictionary of more) count(dictionary, 0);
  return { counts, disguised, hugeColors };
}
