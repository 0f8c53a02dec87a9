/** What a PDF is made of. */

export interface PdfName {
  readonly type: 'name';
  readonly value: string;
  /** Written with `#xx` for a letter or digit that needs none. */
  readonly disguised: boolean;
}
export interface PdfString {
  readonly type: 'string';
  readonly bytes: Uint8Array;
}
export interface PdfReference {
  readonly type: 'reference';
  readonly number: number;
  readonly generation: number;
}
export interface PdfArray {
  readonly type: 'array';
  readonly items: readonly PdfValue[];
}
export interface PdfDictionary {
  readonly type: 'dictionary';
  readonly entries: ReadonlyMap<string, PdfValue>;
}
export interface PdfWord {
  readonly type: 'word';
  readonly value: string;
}
export type PdfValue = number | PdfName | PdfString | PdfReference | PdfArray | PdfDictionary | PdfWord;

export interface PdfObject {
  readonly number: number;
  readonly generation: number;
  readonly offset: number;
  readonly value: PdfValue;
  /** As it lies in the file: encrypted and packed. */
  readonly stream?: Uint8Array;
  /** The object stream that it came out of. */
  readonly inside?: number;
}

export const emptyDictionary: PdfDictionary = { type: 'dictionary', entries: new Map() };

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return typeof value === 'object' && value.type === 'dictionary';
}

export function nameOf(value: PdfValue | undefined): string | undefined {
  return typeof value === 'object' && value.type === 'name' ? value.value : undefined;
}

export function itemsOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined) return [];
  return typeof value === 'object' && value.type === 'array' ? value.items : [value];
}

/** Text strings are UTF-16 with a mark, UTF-8 with a mark, or close to latin1. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes.subarray(3));
  return Buffer.from(bytes).toString('latin1');
}
