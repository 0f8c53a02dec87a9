import type { Kind } from '../contract.ts';
import { hasWord, latin1, u16, u32 } from './bytes.ts';

const signature = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const mostDirectorySectors = 512;
const mostChainSteps = 4096;
const entryBytes = 128;
const endOfChain = 0xfffffffa;
const headerSlots = 109;

interface Entry {
  readonly name: string;
  readonly clsid: string;
  readonly start: number;
  readonly size: number;
  readonly isRoot: boolean;
}

interface Container {
  readonly bytes: Uint8Array;
  readonly sectorBytes: number;
  readonly entries: readonly Entry[];
}

function nextSector(bytes: Uint8Array, sectorBytes: number, sector: number): number {
  const perSector = sectorBytes / 4;
  const slot = Math.floor(sector / perSector);
  // Beyond the slots of the header lie files of more than 7 MB, whose directory begins long before that.
  if (slot >= headerSlots) return endOfChain;
  const table = u32(bytes, 76 + slot * 4);
  return table < 0 || table >= endOfChain
    ? endOfChain
    : u32(bytes, (table + 1) * sectorBytes + (sector % perSector) * 4);
}

function readEntry(bytes: Uint8Array, at: number): Entry | null {
  const type = bytes[at + 66] ?? 0;
  const nameBytes = u16(bytes, at + 64);
  if (type === 0 || nameBytes < 2 || nameBytes > 64) return null;
  // Whole characters only: half of one at the end, at an odd place, is more than the decoder bears.
  const name = Buffer.from(bytes.buffer, bytes.byteOffset + at, (nameBytes - 2) & ~1).toString('utf16le');
  const clsid = Buffer.from(latin1(bytes, at + 80, at + 96), 'latin1').toString('hex');
  return { name, clsid, start: u32(bytes, at + 116), size: u32(bytes, at + 120), isRoot: type === 5 };
}

function readContainer(bytes: Uint8Array): Container {
  const shift = u16(bytes, 30);
  const sectorBytes = shift === 12 ? 4096 : 512;
  const entries: Entry[] = [];
  const seen = new Set<number>();
  for (
    let sector = u32(bytes, 48);
    sector >= 0 && sector < endOfChain;
    sector = nextSector(bytes, sectorBytes, sector)
  ) {
    if (seen.has(sector) || seen.size >= mostDirectorySectors) break;
    seen.add(sector);
    const from = (sector + 1) * sectorBytes;
    for (let at = from; at + entryBytes <= Math.min(from + sectorBytes, bytes.length); at += entryBytes) {
      const entry = readEntry(bytes, at);
      if (entry !== null) entries.push(entry);
    }
  }
  return { bytes, sectorBytes, entries };
}

/** The first bytes of a stream, at least 64 of them where it has as many: enough for a header. */
function streamHead({ bytes, sectorBytes, entries }: Container, entry: Entry): Uint8Array {
  if (entry.size >= 4096) return bytes.subarray((entry.start + 1) * sectorBytes, (entry.start + 2) * sectorBytes);
  let sector = entries.find(({ isRoot }) => isRoot)?.start ?? endOfChain;
  const at = entry.start * 64;
  for (let step = Math.min(Math.floor(at / sectorBytes), mostChainSteps); step > 0 && sector < endOfChain; step -= 1) {
    sector = nextSector(bytes, sectorBytes, sector);
  }
  if (sector < 0 || sector >= endOfChain) return new Uint8Array();
  const from = (sector + 1) * sectorBytes + (at % sectorBytes);
  return bytes.subarray(from, (sector + 2) * sectorBytes);
}

const filePassRecord = 0x2f;

/** BIFF workbooks say that they are encrypted in one of their first records. */
function hasFilePass(head: Uint8Array): boolean {
  for (let at = 0, count = 0; count < 8 && at + 4 <= head.length; count += 1) {
    if (u16(head, at) === filePassRecord) return true;
    at += 4 + u16(head, at + 2);
  }
  return false;
}

interface Form {
  readonly stream: string;
  readonly title: string;
  readonly mime: string;
  /** Whether the head of that stream says that the document is encrypted. */
  readonly isEncrypted: (head: Uint8Array) => boolean;
}

const forms: readonly Form[] = [
  {
    stream: 'worddocument',
    title: 'Word document',
    mime: 'application/msword',
    isEncrypted: (head) => u16(head, 0) === 0xa5ec && (u16(head, 10) & 0x100) !== 0,
  },
  { stream: 'workbook', title: 'Excel workbook', mime: 'application/vnd.ms-excel', isEncrypted: hasFilePass },
  { stream: 'book', title: 'Excel workbook', mime: 'application/vnd.ms-excel', isEncrypted: hasFilePass },
  {
    stream: 'current user',
    title: 'PowerPoint presentation',
    mime: 'application/vnd.ms-powerpoint',
    isEncrypted: (head) => u32(head, 12) === 0xf3d1c4df,
  },
  {
    stream: 'powerpoint document',
    title: 'PowerPoint presentation',
    mime: 'application/vnd.ms-powerpoint',
    isEncrypted: () => false,
  },
  { stream: 'visiodocument', title: 'Visio drawing', mime: 'application/vnd.visio', isEncrypted: () => false },
  { stream: 'quill', title: 'Publisher document', mime: 'application/x-mspublisher', isEncrypted: () => false },
];

const tail = '00000000c000000000000046';
const installerClasses = ['84100c', '86100c', '82100c'].map((head) => `${head}00${tail}`);
const messageClass = `0b0d0200${tail}`;
/** Names of tables in installer databases are packed into this range. */
const packedName = /^[\u3800-\u4840]/;

export function recogniseOle2(bytes: Uint8Array): Kind | null {
  if (!hasWord(bytes, signature)) return null;
  const container = readContainer(bytes);
  const { entries } = container;
  const named = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const root = entries.find(({ isRoot }) => isRoot);
  if (named.has('encryptedpackage')) {
    return {
      id: 'office-encrypted',
      title: 'encrypted Office document (OOXML in OLE2)',
      mime: 'application/encrypted',
    };
  }
  if (root?.clsid === messageClass || named.has('__properties_version1.0') || named.has('__nameid_version1.0')) {
    return { id: 'msg', title: 'Outlook message (MSG)', mime: 'application/vnd.ms-outlook' };
  }
  if (installerClasses.includes(root?.clsid ?? '') || entries.some(({ name }) => packedName.test(name))) {
    return { id: 'msi', title: 'Windows Installer package', mime: 'application/x-msi' };
  }
  for (const { stream, title, mime, isEncrypted } of forms) {
    const entry = named.get(stream);
    if (entry === undefined) continue;
    if (isEncrypted(streamHead(container, entry))) {
      return { id: 'office-encrypted', title: `encrypted ${title} (OLE2)`, mime };
    }
    return { id: 'ole2', title: `${title} (OLE2)`, mime };
  }
  return { id: 'ole2', title: 'OLE2 container of no known program', mime: 'application/x-ole-storage' };
}
