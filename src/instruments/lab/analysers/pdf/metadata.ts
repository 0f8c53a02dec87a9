import type { Facts } from '../../contract.ts';
import { excerpt } from '../draft.ts';
import type { PdfDocument } from './document.ts';
import type { Encryption } from './encryption.ts';
import { isDictionary, nameOf, type PdfDictionary, type PdfObject, textOf } from './values.ts';

/** `D:20240131120000+01'00'` as ISO, or as it stands. */
export function pdfDate(text: string): string {
  const parts = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-]\d{2})'?(\d{2})?)?/.exec(text);
  if (parts === null) return text;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zulu, zone, zoneMinutes] = parts;
  const offset = zulu ?? (zone === undefined ? '' : `${zone}:${zoneMinutes ?? '00'}`);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}

const infoKeys = ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer', 'CreationDate', 'ModDate'] as const;

export function readInfo(document: PdfDocument): Facts {
  const info: Record<string, string> = {};
  for (const trailer of document.trailers) {
    const reference = trailer.entries.get('Info');
    const owner =
      typeof reference === 'object' && reference.type === 'reference' ? document.find(reference.number) : undefined;
    if (owner === undefined || !isDictionary(owner.value)) continue;
    for (const key of infoKeys) {
      const bytes = document.string(owner.value.entries.get(key), owner);
      if (bytes === undefined) continue;
      const text = textOf(bytes.subarray(0, 4000));
      info[key.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()] = excerpt(
        key.endsWith('Date') ? pdfDate(text) : text,
      );
    }
  }
  return info;
}

/** Which of the rights of table 22 of the standard are granted. */
const permissionBits = { print: 4, modify: 8, copy: 16, annotate: 32, fill_forms: 256, extract: 512, assemble: 1024 };

export function encryptionFacts(encryption: Encryption): Facts {
  return {
    handler: excerpt(encryption.handler, 60),
    version: encryption.version,
    revision: encryption.revision,
    key_bits: encryption.keyBits,
    stream_cipher: encryption.streamCipher,
    string_cipher: encryption.stringCipher,
    encrypts_metadata: encryption.encryptsMetadata,
    opened: encryption.key !== undefined,
    ...(encryption.password === undefined ? {} : { password: encryption.password }),
    allows: Object.entries(permissionBits)
      .filter(([, bit]) => (encryption.permissions & bit) !== 0)
      .map(([name]) => name),
  };
}

export interface Pages {
  /** Objects that are pages. */
  readonly found: number;
  /** What the root of the page tree says. */
  readonly declared?: number;
}

export function countPages(document: PdfDocument): Pages {
  const pages = new Set<number>();
  let declared: number | undefined;
  for (const object of document.objects) {
    if (document.find(object.number) !== object || !isDictionary(object.value)) continue;
    const type = nameOf(document.resolve(object.value.entries.get('Type')));
    if (type === 'Page') pages.add(object.number);
    if (type !== 'Catalog') continue;
    const root = document.resolve(object.value.entries.get('Pages'));
    const count = isDictionary(root) ? document.resolve(root.entries.get('Count')) : undefined;
    if (typeof count === 'number') declared = count;
  }
  return declared === undefined ? { found: pages.size } : { found: pages.size, declared };
}

export function typeOf(object: PdfObject): { dictionary?: PdfDictionary; type?: string; subtype?: string } {
  if (!isDictionary(object.value)) return {};
  const type = nameOf(object.value.entries.get('Type'));
  const subtype = nameOf(object.value.entries.get('Subtype'));
  return {
    dictionary: object.value,
    ...(type === undefined ? {} : { type }),
    ...(subtype === undefined ? {} : { subtype }),
  };
}
