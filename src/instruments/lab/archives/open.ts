import { isKnownError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import {
  type ArchiveLimits,
  type ArchiveListing,
  defaultArchiveLimits,
  type ExtractedEntry,
  type Extraction,
  type ExtractOrder,
  type RefusedEntry,
} from './contract.ts';
import { passwordCandidates } from './passwords.ts';
import { makePaths, type PathMaker } from './safe-path.ts';
import { openListing, type Session } from './session.ts';
import { loadSevenZip, type SevenZip } from './seven-zip.ts';
import { archiveSignature, singleStreamFormats, wrappedFormats } from './signatures.ts';
import { type RawEntry, unpack } from './unpack.ts';
import { arrangeVolumes } from './volumes.ts';

/** Opens archives in this very thread: for threads that may be ended from outside. */

export interface OpenOrder extends Omit<ExtractOrder, 'signal'> {
  readonly tick: () => void;
  /** Compiled already: saves doing it again. */
  readonly sevenZip?: SevenZip;
}

/** A compressed stream in a compressed stream in a stream: more than this is play. */
const mostWraps = 3;

function startSession(order: OpenOrder, limits: ArchiveLimits, sevenZip: SevenZip): Session {
  const { bytes, name, volumes = [], tick } = order;
  return { sevenZip, inputs: arrangeVolumes(bytes, name ?? 'a', volumes), name, limits, tick };
}

export async function listHere(order: OpenOrder): Promise<ArchiveListing> {
  const limits = { ...defaultArchiveLimits, ...order.limits };
  const session = startSession(order, limits, order.sevenZip ?? loadSevenZip());
  const { listing, format, password } = await openListing(
    session,
    passwordCandidates(order.passwords ?? [], order.name),
  );
  const entries = listing.entries.slice(0, limits.entries);
  return {
    format,
    entries,
    entryCount: listing.entries.length,
    isSolid: listing.isSolid,
    isHeaderEncrypted: listing.isHeaderEncrypted,
    comment: listing.comment,
    passwordUsed: password,
    notes: listing.remarks.map((remark) => `7-Zip: ${remark.slice(0, 200)}`),
  };
}

interface Collected {
  readonly entries: ExtractedEntry[];
  readonly refused: RefusedEntry[];
  readonly notes: string[];
  readonly nested: { name: string; format: string; entryCount: number }[];
  bytesLeft: number;
  entriesLeft: number;
  passwordUsed: string | null;
  readonly paths: PathMaker;
  readonly sevenZip: SevenZip;
}

export async function extractHere(order: OpenOrder): Promise<Extraction> {
  const limits = { ...defaultArchiveLimits, ...order.limits };
  const collected: Collected = {
    entries: [],
    refused: [],
    notes: [],
    nested: [],
    bytesLeft: limits.totalBytes,
    entriesLeft: limits.entries,
    passwordUsed: null,
    paths: makePaths(),
    sevenZip: order.sevenZip ?? loadSevenZip(),
  };
  const format = await collect(order, limits, collected, { inside: [], prefix: '', depth: 0 });
  const { entries, refused, notes, nested, passwordUsed } = collected;
  return { format, entries, passwordUsed, refused, notes, nested };
}

interface Place {
  readonly inside: readonly string[];
  readonly prefix: string;
  readonly depth: number;
}

async function collect(order: OpenOrder, limits: ArchiveLimits, collected: Collected, place: Place): Promise<string> {
  const { entries, format } = await openWrapped(order, limits, collected);
  for (const entry of entries) {
    collected.bytesLeft -= entry.bytes.length;
    collected.entriesLeft -= 1;
    const { path, note } = collected.paths.make(`${place.prefix}${entry.name}`);
    const notes = [
      ...(note === undefined ? [] : [note]),
      ...(entry.damage === null ? [] : [`damaged: ${entry.damage}`]),
    ];
    collected.entries.push({
      name: entry.name,
      path,
      ...(notes.length === 0 ? {} : { pathNote: notes.join('; ') }),
      bytes: entry.bytes,
      sizeBytes: entry.bytes.length,
      sha256: sha256(entry.bytes),
      ...(entry.modifiedAt === undefined ? {} : { modifiedAt: entry.modifiedAt }),
      isEncrypted: entry.isEncrypted,
      inside: place.inside,
    });
    if (archiveSignature(entry.bytes) !== null) await openInner(order, limits, collected, place, entry, path);
  }
  return format;
}

async function openInner(
  order: OpenOrder,
  limits: ArchiveLimits,
  collected: Collected,
  place: Place,
  entry: RawEntry,
  path: string,
): Promise<void> {
  if (place.depth >= limits.depth) {
    if (limits.depth > 0) collected.notes.push(`an archive at depth ${place.depth + 1} was not opened: too deep`);
    return;
  }
  const before = collected.entries.length;
  const inner = { passwords: order.passwords ?? [], tick: order.tick, bytes: entry.bytes, name: entry.name };
  const deeper = { inside: [...place.inside, entry.name], prefix: `${path}.unpacked/`, depth: place.depth + 1 };
  try {
    const format = await collect(inner, limits, collected, deeper);
    collected.nested.push({ name: entry.name, format, entryCount: collected.entries.length - before });
  } catch (error) {
    if (!isKnownError(error)) throw error;
    collected.notes.push(`an archive inside was not opened: ${error.message}`);
  }
}

interface Opened {
  readonly entries: readonly RawEntry[];
  readonly format: string;
}

/** Opens one archive, and what is only wrapped in it. */
async function openWrapped(order: OpenOrder, limits: ArchiveLimits, collected: Collected): Promise<Opened> {
  let current = order;
  const formats: string[] = [];
  for (;;) {
    const left = { ...limits, totalBytes: collected.bytesLeft, entries: Math.max(0, collected.entriesLeft) };
    const session = startSession(current, left, collected.sevenZip);
    const candidates = passwordCandidates(order.passwords ?? [], order.name);
    const opened = await openListing(session, candidates);
    const unpacked = await unpack(session, opened, candidates);
    formats.push(opened.format);
    collected.refused.push(...unpacked.refused);
    collected.notes.push(
      ...unpacked.notes,
      ...opened.listing.remarks.map((remark) => `7-Zip: ${remark.slice(0, 200)}`),
    );
    collected.passwordUsed ??= unpacked.passwordUsed;
    const [only, ...others] = unpacked.entries;
    const isWrapped = only !== undefined && others.length === 0 && singleStreamFormats.has(opened.format);
    if (isWrapped && formats.length <= mostWraps && wrappedFormats.has(archiveSignature(only.bytes) ?? '')) {
      current = { bytes: only.bytes, name: only.name, tick: order.tick };
      continue;
    }
    const entries =
      only !== undefined && isWrapped ? [{ ...only, name: streamName(only.name, order.name) }] : unpacked.entries;
    return { entries, format: formats.toReversed().join('.') };
  }
}

/** A lone stream has no name of its own: it gets the archive's without its ending. */
function streamName(name: string, archiveName: string | undefined): string {
  if (name !== 'a~' && name !== 'a' && name !== '') return name;
  const base = (archiveName ?? '').split(/[\\/]/).at(-1) ?? '';
  return base.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'content';
}
