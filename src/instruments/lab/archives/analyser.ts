import { isKnownError } from '../../../base/errors.ts';
import type { Analyser, AnalyserInput, AnalyserResult, Child, Facts, LabFinding } from '../contract.ts';
import { noResult } from '../contract.ts';
import type { ArchiveLimits, ArchiveListing, Extraction } from './contract.ts';
import { bombFinding, findInListing } from './findings.ts';
import { nameClass } from './names.ts';
import { extractHere, listHere } from './open.ts';
import { loadSevenZip } from './seven-zip.ts';

/** What lies in an archive: the listing as facts, its entries as children. Runs in the analysers' own thread. */

const mebibyte = 1024 * 1024;
const mostListed = 200;
const mostChildren = 100;
const limits: Partial<ArchiveLimits> = {
  totalBytes: 64 * mebibyte,
  entryBytes: 32 * mebibyte,
  memoryBytes: 256 * mebibyte,
};

export const archiveAnalyser: Analyser = {
  id: 'archive',
  title: 'Archive contents',
  version: 1,
  kinds: ['zip', '7z', 'rar', 'tar', 'gzip', 'bzip2', 'xz', 'zstd', 'cab', 'iso', 'msi', 'chm'],
  depth: 'quick',
  timeoutMs: 30_000,
  analyse,
};

async function analyse(input: AnalyserInput): Promise<AnalyserResult> {
  const order = {
    bytes: input.bytes,
    name: input.name,
    passwords: input.passwords,
    limits,
    tick: input.tick,
    sevenZip: loadSevenZip(),
  };
  const listing = await attempt(() => listHere(order));
  if ('problem' in listing) return { ...noResult, facts: { is_readable: false }, notes: [listing.problem] };
  const opened = await attempt(() => extractHere(order));
  const findings: LabFinding[] = [...findInListing(listing.value)];
  const notes = [...listing.value.notes];
  if ('problem' in opened) {
    notes.push(opened.problem);
    if (/unpacks to|more entries/.test(opened.problem)) findings.push(bombFinding(opened.problem, input.bytes.length));
  } else notes.push(...opened.value.notes);
  const extraction = 'value' in opened ? opened.value : null;
  const children = extraction === null ? [] : childrenOf(extraction, notes);
  const comment = listing.value.comment;
  return {
    facts: factsOf(listing.value, extraction, input.bytes.length),
    findings,
    texts: comment === null ? [] : [{ label: 'comment of the archive', text: comment }],
    children,
    notes,
  };
}

async function attempt<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly problem: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!isKnownError(error)) throw error;
    return { problem: error.message };
  }
}

function childrenOf(extraction: Extraction, notes: string[]): readonly Child[] {
  const wanted = extraction.entries.filter(({ sizeBytes }) => sizeBytes > 0);
  // What runs comes first when there are more than can be passed on.
  const rank = (name: string): number => (['program', 'script'].includes(nameClass(name) ?? '') ? 0 : 1);
  const first = wanted.toSorted((left, right) => rank(left.name) - rank(right.name)).slice(0, mostChildren);
  if (wanted.length > first.length) notes.push(`${first.length} of ${wanted.length} entries were passed on`);
  const how = extraction.passwordUsed === null ? 'entry of the archive' : 'entry of the archive, decrypted';
  return first.map(({ name, bytes }) => ({ name, bytes, how }));
}

function factsOf(listing: ArchiveListing, extraction: Extraction | null, packed: number): Facts {
  const total = listing.entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    is_readable: true,
    format: extraction?.format ?? listing.format,
    entry_count: listing.entryCount,
    total_size_bytes: total,
    ratio: packed === 0 ? 0 : Math.round((total / packed) * 100) / 100,
    is_solid: listing.isSolid,
    is_encrypted: listing.isHeaderEncrypted || listing.entries.some(({ isEncrypted }) => isEncrypted),
    are_names_encrypted: listing.isHeaderEncrypted,
    password_used: extraction?.passwordUsed ?? listing.passwordUsed,
    comment: listing.comment?.slice(0, 400) ?? null,
    entries: listing.entries.slice(0, mostListed).map((entry) => ({
      name: entry.name.slice(0, 400),
      type: entry.type,
      size_bytes: entry.sizeBytes,
      packed_bytes: entry.packedBytes,
      is_encrypted: entry.isEncrypted,
      modified_at: entry.modifiedAt ?? null,
      method: entry.method?.slice(0, 80) ?? null,
    })),
    refused: (extraction?.refused ?? [])
      .slice(0, mostListed)
      .map(({ name, because }) => ({ name: name.slice(0, 400), because })),
  };
}
