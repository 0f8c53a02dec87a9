import { cut, fileTimeAt, u16, u32, untilZero, utf16 } from '../office/bytes.ts';
import type { CompoundEntry, CompoundFile } from '../office/compound/read-compound-file.ts';
import { largestStorageBytes, storageAsFile, storageBytes } from '../office/compound/write-compound-file.ts';
import { decodePage } from '../office/vba/code-pages.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { type MailAddress, type MailAttachment, type Message, parseHeaders } from './message.ts';

/** Outlook messages: each property is a stream of its own, recipients and attachments are storages. */

export interface OutlookMessage extends Message {
  readonly messageClass: string;
  readonly rtf: Uint8Array;
  /** Properties that name a place on another machine. */
  readonly remotePaths: readonly string[];
  readonly notes: readonly string[];
}

const maximalParts = 500;

interface Properties {
  text(id: string): string;
  bytes(id: string): Uint8Array;
  number(id: number): number;
  time(id: number): string;
  storage(id: string): CompoundEntry | undefined;
  readonly texts: readonly string[];
}

/** Fixed values stand in one stream, sixteen bytes each, behind a head whose length depends on the place. */
function fixedValues(stream: Uint8Array, head: number, tick: () => void): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = head; at + 16 <= stream.length && places.size < 5000; at += 16) {
    if (at % 4096 < 16) tick();
    const tag = u32(stream, at);
    if (!places.has(tag >>> 16)) places.set(tag >>> 16, at + 8);
  }
  return places;
}

function propertiesIn(
  file: CompoundFile,
  storage: string,
  children: readonly CompoundEntry[],
  head: number,
  tick: () => void,
): Properties {
  const byId = new Map<string, { entry: CompoundEntry; type: string }>();
  for (const entry of children) {
    const match = /^__substg1\.0_([0-9a-f]{4})([0-9a-f]{4})$/i.exec(entry.name);
    if (match !== null) byId.set((match[1] ?? '').toUpperCase(), { entry, type: (match[2] ?? '').toUpperCase() });
  }
  const fixedEntry = file.find(`${storage === '' ? '' : `${storage}/`}__properties_version1.0`);
  const fixed = fixedEntry === undefined ? new Uint8Array() : file.read(fixedEntry);
  const places = fixedValues(fixed, head, tick);
  const at = (id: number): number => places.get(id) ?? fixed.length;
  const codePage = u32(fixed, at(0x3fde)) || u32(fixed, at(0x3ffd)) || 1252;
  const textOf = (id: string): string => {
    const found = byId.get(id);
    if (found === undefined || found.entry.type !== 'stream') return '';
    const bytes = file.read(found.entry);
    return untilZero(found.type === '001F' ? utf16(bytes) : decodePage(bytes, codePage));
  };
  return {
    text: textOf,
    bytes: (id) => {
      const found = byId.get(id);
      return found === undefined ? new Uint8Array() : file.read(found.entry);
    },
    number: (id) => u32(fixed, at(id)),
    time: (id) => fileTimeAt(fixed, at(id)) ?? '',
    storage: (id) => {
      const found = byId.get(id)?.entry;
      return found?.type === 'storage' ? found : undefined;
    },
    texts: [...byId]
      .filter(([, { type, entry }]) => /^001[EF]$/.test(type) && entry.size < 4096)
      .map(([id]) => textOf(id)),
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function addressOf(name: string, ...addresses: readonly string[]): MailAddress {
  return { name, address: addresses.find((one) => one.includes('@')) ?? addresses.find((one) => one !== '') ?? '' };
}

const linkMethods: readonly number[] = [2, 3, 4, 7];

/** As Outlook would have saved it: with the head of a message that stands alone, and the names of its properties. */
function messageAsFile(file: CompoundFile, inner: CompoundEntry): Uint8Array {
  return storageAsFile(file, inner, {
    graft: file.find('__nameid_version1.0'),
    change: (name, content) =>
      name === '__properties_version1.0' && content.length % 16 === 8
        ? Buffer.concat([content.subarray(0, 24), Buffer.alloc(8), content.subarray(24)])
        : content,
  });
}

function readAttachment(file: CompoundFile, own: Properties, notes: string[]): MailAttachment {
  const inner = own.storage('3701');
  const isMessage = own.number(0x3705) === 5;
  const name = own.text('3707') || own.text('3704') || own.text('3001');
  const isTooLarge = inner !== undefined && storageBytes(file, inner) > largestStorageBytes;
  if (isTooLarge) notes.push('an attached object is larger than is taken out');
  const reference = own.text('370D') || own.text('3708');
  return {
    name: inner !== undefined && isMessage && !/\.msg$/i.test(name) ? `${name || 'message'}.msg` : name,
    mimeType: own.text('370E').toLowerCase(),
    bytes:
      inner === undefined
        ? own.bytes('3701')
        : isTooLarge
          ? new Uint8Array()
          : isMessage
            ? messageAsFile(file, inner)
            : storageAsFile(file, inner),
    isInline: own.text('3712') !== '',
    isMessage,
    ...(linkMethods.includes(own.number(0x3705)) && reference !== '' && { reference }),
  };
}

/** A message that lay in another one has a head that is eight bytes shorter; the values are sixteen bytes each. */
function isTopLevel(file: CompoundFile): boolean {
  return (file.find('__properties_version1.0')?.size ?? 0) % 16 !== 8;
}

export function readMsg(file: CompoundFile, tick: () => void): OutlookMessage {
  const notes = [...file.notes];
  const children = new Map<string, CompoundEntry[]>();
  for (const entry of file.entries) {
    if (entry.type === 'root' || entry.isOrphan) continue;
    const parent = parentOf(entry.path);
    const list = children.get(parent) ?? [];
    list.push(entry);
    children.set(parent, list);
  }
  const own = propertiesIn(file, '', children.get('') ?? [], isTopLevel(file) ? 32 : 24, tick);
  const parts = (pattern: RegExp): Properties[] =>
    (children.get('') ?? [])
      .filter(({ name, type }) => type === 'storage' && pattern.test(name))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1))
      .slice(0, maximalParts)
      .map(({ path }) => propertiesIn(file, path, children.get(path) ?? [], 8, tick));
  const recipients = parts(/^__recip_version1\.0_/i).map((one) => ({
    kind: one.number(0x0c15),
    address: addressOf(one.text('3001'), one.text('39FE'), one.text('3003')),
  }));
  const headers = parseHeaders(own.text('007D'));
  const header = (key: string): string => headers.find((one) => one.key === key)?.value ?? '';
  const html = own.bytes('1013');
  return {
    headers,
    from: addressOf(
      own.text('0042') || own.text('0C1A'),
      own.text('5D02'),
      own.text('0065'),
      own.text('5D01'),
      own.text('0C1F'),
    ),
    sender: addressOf(own.text('0C1A'), own.text('5D01'), own.text('0C1F')),
    replyTo: [...header('reply-to').matchAll(/[^\s<>,;"]{1,100}@[^\s<>,;"]{1,200}/g)].map(([address]) => ({
      name: '',
      address,
    })),
    returnPath: /[^\s<>]{1,100}@[^\s<>]{1,200}/.exec(header('return-path'))?.[0] ?? '',
    to: recipients.filter(({ kind }) => kind !== 2 && kind !== 3).map(({ address }) => address),
    cc: recipients.filter(({ kind }) => kind === 2).map(({ address }) => address),
    subject: own.text('0037'),
    date: own.time(0x0039) || own.time(0x0e06) || header('date'),
    messageId: own.text('1035') || header('message-id'),
    text: own.text('1000'),
    html:
      own.text('1013') === ''
        ? ''
        : u16(html, 0) === 0x3c || html[1] === 0
          ? utf16(html)
          : decodePage(html, own.number(0x3fde) || 65_001),
    attachments: parts(/^__attach_version1\.0_/i).map((one) => readAttachment(file, one, notes)),
    messageClass: own.text('001A'),
    rtf: decompressRtf(cut(own.bytes('1009'), 0, 16 * 1024 * 1024), tick),
    remotePaths: own.texts.filter((text) => /^\\\\[^\\\s]{1,255}\\/.test(text)).slice(0, 20),
    notes,
  };
}
