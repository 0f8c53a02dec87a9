import { TargetError } from '../../../base/errors.ts';
import type { ArchiveLimits, ListedEntry, RefusedEntry } from './contract.ts';
import type { OutputFile } from './output-files.ts';
import { type OpenedListing, run, type Session, stopError } from './session.ts';
import { type SevenZipRun, StoppedError, type StopReason } from './seven-zip.ts';

/** The bytes of one archive, without what lies in archives inside it. */

export interface RawEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isEncrypted: boolean;
  readonly modifiedAt?: string;
  /** 7-Zip's complaint, in its words without the name. */
  readonly damage: string | null;
}

export interface Unpacked {
  readonly entries: readonly RawEntry[];
  readonly refused: readonly RefusedEntry[];
  readonly passwordUsed: string | null;
  readonly notes: readonly string[];
}

/** Entries that 7-Zip may leave out in a row before a file is taken for one without a line. */
const mostLookAhead = 1_000;
const wrongPassword = /^ERROR: (?:Wrong password|[A-Za-z ]+ in encrypted file\. Wrong password\?)/;
/** Complaints about our file system, which makes neither folders nor links and keeps no attributes. */
const ownComplaint = /^ERROR: Cannot (?:create|set|delete|get) /;
const complaint = /^ERROR: ([A-Z][A-Za-z. ?]+?) : /;

/** What the listing already says is too much. */
export function judgeListing(
  entries: readonly ListedEntry[],
  packedBytes: number,
  limits: ArchiveLimits,
): StopReason | null {
  if (entries.length > limits.entries) return 'entries';
  const total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > limits.ratioFloorBytes && total > packedBytes * limits.ratio) return 'ratio';
  if (entries.some(({ sizeBytes }) => sizeBytes > limits.entryBytes)) return 'entry-bytes';
  return total > limits.totalBytes ? 'total-bytes' : null;
}

export async function unpack(session: Session, opened: OpenedListing, passwords: readonly string[]): Promise<Unpacked> {
  const { entries } = opened.listing;
  const packedBytes = session.inputs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const tooMuch = judgeListing(entries, packedBytes, session.limits);
  if (tooMuch !== null) throw stopError(tooMuch);
  const isEncrypted = opened.password !== null || entries.some((entry) => entry.isEncrypted);
  const candidates = opened.password !== null ? [opened.password] : isEncrypted ? passwords : [''];
  for (const password of candidates) {
    const attempt = await extract(session, password, candidates.length > 1);
    if (attempt.stopped === 'wrong-password') continue;
    const sorted = sortOut(attempt, entries);
    if (candidates.length > 1 && sorted.wrong > 0) continue;
    return { ...sorted, passwordUsed: isEncrypted && sorted.wrong === 0 ? password : null };
  }
  // With one encrypted entry every password has had its try; one more run is for what is not encrypted.
  const isMixed = entries.filter((entry) => entry.isEncrypted).length > 1;
  return unpackMixed(session, entries, isMixed ? candidates : candidates.slice(0, 1));
}

/** Not one password opens everything: each entry is taken from the first that opens it. */
async function unpackMixed(
  session: Session,
  listed: readonly ListedEntry[],
  candidates: readonly string[],
): Promise<Unpacked> {
  const found = new Map<number, RawEntry>();
  let best: Sorted | null = null;
  let passwordUsed: string | null = null;
  for (const password of candidates) {
    const sorted = sortOut(await extract(session, password, false), listed);
    best ??= sorted;
    for (const [at, entry] of sorted.byFile) {
      if (found.has(at)) continue;
      found.set(at, entry);
      if (entry.isEncrypted) passwordUsed ??= password;
    }
  }
  if (found.size === 0)
    throw new TargetError('none of the passwords opens this archive', { hint: 'give the password' });
  const entries = [...found].toSorted(([left], [right]) => left - right).map(([, entry]) => entry);
  const opened = new Set(entries.map(({ name }) => name));
  const refused = (best?.refused ?? []).filter(({ name }) => !opened.has(name));
  return { entries, refused, passwordUsed, notes: [...(best?.notes ?? []), 'not one password opens every entry'] };
}

async function extract(session: Session, password: string, isStrict: boolean): Promise<SevenZipRun> {
  const { totalBytes, entryBytes, entries } = session.limits;
  const attempt = await run(session, ['x', '-y', '-o/out', `-p${password}`], {
    output: { totalBytes, entryBytes, entries },
    onError: (line: string) => {
      if (isStrict && wrongPassword.test(line)) throw new StoppedError('wrong-password');
    },
  });
  if (attempt.stopped !== null && attempt.stopped !== 'wrong-password') throw stopError(attempt.stopped);
  const hasContent = attempt.files.some((file) => file.bytes().length > 0);
  if (attempt.isOutOfMemory && !hasContent) throw stopError('memory');
  return attempt;
}

interface Sorted {
  readonly entries: readonly RawEntry[];
  readonly byFile: ReadonlyMap<number, RawEntry>;
  readonly refused: readonly RefusedEntry[];
  readonly notes: readonly string[];
  readonly wrong: number;
}

/** As 7-Zip prints and writes them alike: controls as `_`, the last part alone. */
function lastPart(name: string): string {
  const part = name
    .split('/')
    .filter((each) => each !== '')
    .at(-1);
  return (part ?? '').replace(/[\0-\x1f\x7f]/g, '_').replace(/^\.{1,2}$/, '_');
}

/**
 * Which line of the listing a written file belongs to: both are in the order of the archive. A link is what it belongs to
 * only where no file can be meant, so that a link of the same name hides nothing.
 */
function alignFiles(files: readonly OutputFile[], listed: readonly ListedEntry[]): readonly (ListedEntry | null)[] {
  const plain = listed.filter(({ type }) => type === 'file' || type === 'device');
  if (plain.length === files.length) return plain;
  // Some forms have their links begun as files.
  const all = listed.filter(({ type }) => type !== 'folder');
  if (all.length === files.length) return all;
  const links = new Map(
    listed.flatMap((entry) => (entry.type === 'link' ? [[lastPart(entry.name), entry] as const] : [])),
  );
  let from = 0;
  return files.map(({ path, isLink }) => {
    const wanted = lastPart(path);
    if (isLink) return links.get(wanted) ?? null;
    for (let at = from; at < Math.min(plain.length, from + mostLookAhead); at += 1) {
      const entry = plain[at];
      if (entry === undefined || lastPart(entry.name) !== wanted) continue;
      from = at + 1;
      return entry;
    }
    return links.get(wanted) ?? null;
  });
}

/** A path and nothing else; what is longer is a file that is only marked as a link. */
function isLinkText(bytes: Uint8Array): boolean {
  return bytes.length <= 255 && !bytes.includes(10);
}

function sortOut(attempt: SevenZipRun, listed: readonly ListedEntry[]): Sorted {
  const owners = alignFiles(attempt.files, listed);
  const damage = new Map<number, string>();
  const notes: string[] = [];
  let wrong = 0;
  for (const { line, begun } of attempt.errors) {
    if (ownComplaint.test(line)) continue;
    if (wrongPassword.test(line)) {
      wrong += 1;
      damage.set(begun - 1, 'wrong password');
    } else {
      const said = complaint.exec(line)?.[1];
      if (said !== undefined && begun > 0 && !damage.has(begun - 1)) damage.set(begun - 1, said);
      else if (line.startsWith('ERROR: ') && notes.length < 20)
        notes.push(`7-Zip: ${(said ?? 'an error').slice(0, 200)}`);
    }
  }
  if (attempt.isOutOfMemory) notes.push('7-Zip wanted more memory than allowed: entries may be missing');
  if (attempt.exitCode === null) notes.push('7-Zip ended early: entries may be missing');
  const refused: RefusedEntry[] = [];
  const withContent = new Set<ListedEntry>();
  const byFile = new Map<number, RawEntry>();
  attempt.files.forEach((file, at) => {
    const owner = owners[at] ?? null;
    const name = owner?.name ?? file.path;
    const bytes = file.bytes();
    if (owner?.type === 'device' && bytes.length === 0) return;
    if (owner?.type === 'link' && isLinkText(bytes)) return;
    if (owner !== null) withContent.add(owner);
    const said = damage.get(at) ?? null;
    if (said === 'wrong password') {
      refused.push({ name, because: 'encrypted, and the password is wrong' });
      return;
    }
    const { modifiedAt, isEncrypted = false } = owner ?? {};
    byFile.set(at, {
      name,
      bytes,
      isEncrypted,
      damage: said,
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
    });
  });
  const special = listed.filter(
    (entry) => (entry.type === 'link' || entry.type === 'device') && !withContent.has(entry),
  );
  const notMade = special.map(({ name, type }) => ({ name, because: `a ${type}: not made` }));
  return { entries: [...byFile.values()], byFile, refused: [...notMade, ...refused], notes, wrong };
}
