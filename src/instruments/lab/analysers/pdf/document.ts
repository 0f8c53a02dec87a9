import { decrypt, type Encryption, readEncryption } from './encryption.ts';
import { type Unfiltered, unfilter } from './filters.ts';
import { scanObjects } from './scan.ts';
import { readValue, type TokenReader } from './tokens.ts';
import { emptyDictionary, isDictionary, nameOf, type PdfDictionary, type PdfObject, type PdfValue } from './values.ts';

export interface PdfDocument {
  /** All of them, those of object streams and of earlier revisions too. */
  readonly objects: readonly PdfObject[];
  readonly trailers: readonly PdfDictionary[];
  readonly encryption?: Encryption;
  readonly encryptNumber?: number;
  readonly notes: readonly string[];
  find(number: number): PdfObject | undefined;
  /** What a reference leads to; other values are themselves. */
  resolve(value: PdfValue | undefined): PdfValue | undefined;
  /** The readable bytes of a string. */
  string(value: PdfValue | undefined, owner: PdfObject): Uint8Array | undefined;
  /** The readable bytes of a stream. */
  stream(object: PdfObject): Unfiltered | undefined;
}

const limits = {
  streamBytes: 16 * 1024 * 1024,
  allStreamBytes: 64 * 1024 * 1024,
  objectStreams: 5000,
  objectsInStream: 20_000,
  allObjects: 150_000,
  references: 32,
};

export function openDocument(bytes: Uint8Array, passwords: readonly string[], tick: () => void): PdfDocument {
  const scan = scanObjects(bytes, tick);
  const objects: PdfObject[] = [...scan.objects];
  const notes = [...scan.notes];
  const latest = new Map<number, PdfObject>();
  for (const object of objects) latest.set(object.number, object);
  let left = limits.allStreamBytes;

  const resolve = (value: PdfValue | undefined): PdfValue | undefined => {
    let current = value;
    for (let hop = 0; hop < limits.references; hop += 1) {
      if (typeof current !== 'object' || current.type !== 'reference') return current;
      current = latest.get(current.number)?.value;
    }
    return undefined;
  };

  const crossReferences = objects.filter(
    ({ value, stream }) => stream !== undefined && isDictionary(value) && nameOf(value.entries.get('Type')) === 'XRef',
  );
  const trailers = [
    ...scan.trailers,
    ...crossReferences.map(({ value }) => (isDictionary(value) ? value : emptyDictionary)),
  ];
  const encryptEntry = trailers.map((one) => one.entries.get('Encrypt')).find((one) => one !== undefined);
  const encryptDictionary = resolve(encryptEntry);
  const encryptNumber =
    typeof encryptEntry === 'object' && encryptEntry.type === 'reference' ? encryptEntry.number : undefined;
  const encryption = isDictionary(encryptDictionary)
    ? readEncryption(encryptDictionary, firstId(trailers, resolve), resolve, passwords)
    : undefined;

  const stream = (object: PdfObject): Unfiltered | undefined => {
    const dictionary = object.value;
    if (object.stream === undefined || !isDictionary(dictionary)) return undefined;
    const type = nameOf(dictionary.entries.get('Type'));
    const plain =
      encryption === undefined ||
      type === 'XRef' ||
      (type === 'Metadata' && !encryption.encryptsMetadata) ||
      hasIdentityFilter(dictionary);
    const raw = plain ? object.stream : decrypt(encryption, encryption.streamCipher, object, object.stream);
    if (left <= 0) return { bytes: new Uint8Array(0), filters: [], problem: 'more streams than are unpacked' };
    const result = unfilter(raw, dictionary, resolve, Math.min(left, limits.streamBytes));
    left -= result.bytes.length + 64;
    return result;
  };

  const string = (value: PdfValue | undefined, owner: PdfObject): Uint8Array | undefined => {
    const found = resolve(value);
    if (typeof found !== 'object' || found.type !== 'string') return undefined;
    if (encryption === undefined || owner.inside !== undefined || owner.number === encryptNumber) return found.bytes;
    const holder =
      typeof value === 'object' && value.type === 'reference' ? (latest.get(value.number) ?? owner) : owner;
    return holder.inside === undefined
      ? decrypt(encryption, encryption.stringCipher, holder, found.bytes)
      : found.bytes;
  };

  let packed = 0;
  for (const object of scan.objects) {
    if (!isDictionary(object.value) || nameOf(object.value.entries.get('Type')) !== 'ObjStm') continue;
    packed += 1;
    tick();
    if (packed > limits.objectStreams || objects.length > limits.allObjects) {
      notes.push('more object streams than are read');
      break;
    }
    const content = stream(object);
    if (content?.problem !== undefined) notes.push(`object stream ${object.number}: ${content.problem}`);
    if (content === undefined) continue;
    for (const inner of readObjectStream(object, content.bytes, resolve, tick)) {
      objects.push(inner);
      if (!latest.has(inner.number)) latest.set(inner.number, inner);
    }
  }

  return {
    objects,
    trailers,
    ...(encryption === undefined ? {} : { encryption }),
    ...(encryptNumber === undefined ? {} : { encryptNumber }),
    notes,
    find: (number) => latest.get(number),
    resolve,
    string,
    stream,
  };
}

function hasIdentityFilter(dictionary: PdfDictionary): boolean {
  const filter = dictionary.entries.get('Filter');
  const first = typeof filter === 'object' && filter.type === 'array' ? filter.items[0] : filter;
  return nameOf(first) === 'Crypt';
}

function firstId(
  trailers: readonly PdfDictionary[],
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
): Uint8Array {
  for (const trailer of trailers) {
    const ids = resolve(trailer.entries.get('ID'));
    const first = typeof ids === 'object' && ids.type === 'array' ? resolve(ids.items[0]) : undefined;
    if (typeof first === 'object' && first.type === 'string') return first.bytes;
  }
  return new Uint8Array(0);
}

function readObjectStream(
  holder: PdfObject,
  bytes: Uint8Array,
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
  tick: () => void,
): PdfObject[] {
  if (!isDictionary(holder.value)) return [];
  const count = resolve(holder.value.entries.get('N'));
  const first = resolve(holder.value.entries.get('First'));
  if (typeof count !== 'number' || typeof first !== 'number' || first < 0) return [];
  const reader: TokenReader = { bytes, budget: bytes.length * 4 + 10_000 };
  const found: PdfObject[] = [];
  let at = 0;
  for (let index = 0; index < Math.min(count, limits.objectsInStream) && reader.budget > 0 && at < first; index += 1) {
    if (index % 1000 === 0) tick();
    const number = readValue(reader, at);
    const offset = readValue(reader, number.next);
    at = offset.next;
    if (typeof number.value !== 'number' || typeof offset.value !== 'number') break;
    const { value } = readValue(reader, first + Math.max(0, offset.value));
    found.push({ number: number.value, generation: 0, offset: holder.offset, value, inside: holder.number });
  }
  return found;
}
