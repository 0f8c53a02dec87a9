import type { PdfDocument } from './document.ts';
import { walkDictionaries } from './keywords.ts';
import { isDictionary, nameOf, type PdfDictionary, type PdfObject, type PdfValue, textOf } from './values.ts';

export interface PdfAction {
  readonly kind: string;
  /** What sets it off: `OpenAction`, `AA/O`, `A`; `named` for scripts of the name tree. */
  readonly trigger: string;
  readonly object: number;
  /** The source, the address, the program: untrusted. */
  readonly detail: string;
  readonly script?: string;
}

const kinds = new Set([
  'JavaScript',
  'Launch',
  'URI',
  'SubmitForm',
  'GoToR',
  'GoToE',
  'ImportData',
  'Named',
  'Rendition',
  'Movie',
  'Sound',
  'Hide',
  'ResetForm',
  'SetOCGState',
  'RichMediaExecute',
  'Thread',
  'Trans',
  'GoTo3DView',
]);
const mostActions = 2000;

type Place = { readonly document: PdfDocument; readonly owner: PdfObject };

function text({ document, owner }: Place, value: PdfValue | undefined): string {
  const bytes = document.string(value, owner);
  return bytes === undefined ? '' : textOf(bytes);
}

/** A file specification is a string or a dictionary that names it several times. */
export function fileOf(place: Place, value: PdfValue | undefined, depth = 0): string {
  const found = place.document.resolve(value);
  if (isDictionary(found) && depth < 4) {
    for (const key of ['UF', 'F', 'Unix', 'DOS', 'Mac']) {
      const name = fileOf(place, found.entries.get(key), depth + 1);
      if (name !== '') return name;
    }
    return '';
  }
  return text(place, value);
}

export function scriptOf(place: Place, value: PdfValue | undefined): string {
  const found = place.document.resolve(value);
  if (!isDictionary(found)) return text(place, value);
  const object =
    typeof value === 'object' && value.type === 'reference' ? place.document.find(value.number) : undefined;
  const content = object === undefined ? undefined : place.document.stream(object);
  return content === undefined ? '' : textOf(content.bytes);
}

function detailOf(place: Place, kind: string, action: PdfDictionary): string {
  const get = (key: string): PdfValue | undefined => action.entries.get(key);
  if (kind === 'URI') return text(place, get('URI'));
  if (kind === 'Named') return nameOf(place.document.resolve(get('N'))) ?? '';
  if (kind === 'GoToE') return fileOf(place, get('F')) || fileOf(place, targetOf(place, get('T')));
  if (kind !== 'Launch') return fileOf(place, get('F'));
  const windows = place.document.resolve(get('Win'));
  const parts = [fileOf(place, get('F'))];
  if (isDictionary(windows)) for (const key of ['F', 'P', 'D', 'O']) parts.push(text(place, windows.entries.get(key)));
  return parts.filter((part) => part !== '').join(' ');
}

function targetOf(place: Place, value: PdfValue | undefined): PdfValue | undefined {
  const target = place.document.resolve(value);
  return isDictionary(target) ? target.entries.get('N') : undefined;
}

const triggerKeys = /(?:^|\/)(OpenAction|AA(?:\/[A-Za-z0-9]{1,4})?|A|PA|Next)$/;

export function collectActions(document: PdfDocument, tick: () => void): PdfAction[] {
  const actions: PdfAction[] = [];
  const seen = new Set<PdfDictionary>();
  const waiting: { action: PdfDictionary; trigger: string; owner: PdfObject }[] = [];
  const triggers = new Map<number, string>();
  let steps = 0;
  const visit = (owner: PdfObject) => (dictionary: PdfDictionary, path: string) => {
    steps += 1;
    if (steps % 1000 === 0) tick();
    for (const [key, value] of dictionary.entries) {
      if (typeof value !== 'object' || value.type !== 'reference' || triggers.size > 10_000) continue;
      const trigger = triggerKeys.exec(`${path}/${key}`)?.[1];
      if (trigger !== undefined && !(triggers.get(value.number) ?? '').startsWith('OpenAction')) {
        triggers.set(value.number, trigger);
      }
    }
    const kind = nameOf(document.resolve(dictionary.entries.get('S')));
    const script = dictionary.entries.has('JS');
    if ((kind === undefined || !kinds.has(kind)) && !script) return;
    if (seen.has(dictionary) || waiting.length >= mostActions) return;
    seen.add(dictionary);
    waiting.push({ action: dictionary, trigger: triggerKeys.exec(path)?.[1] ?? '', owner });
  };
  for (const object of document.objects) walkDictionaries(object.value, '', visit(object));
  for (const { action, trigger, owner } of waiting) {
    tick();
    const place = { document, owner };
    const kind = nameOf(document.resolve(action.entries.get('S'))) ?? 'JavaScript';
    const script = action.entries.has('JS') ? scriptOf(place, action.entries.get('JS')) : '';
    actions.push({
      kind,
      trigger: trigger || triggers.get(owner.number) || (script === '' ? 'not known' : 'named'),
      object: owner.number,
      detail: script === '' ? detailOf(place, kind, action) : script,
      ...(script === '' ? {} : { script }),
    });
  }
  return actions;
}
