import { TargetError } from '../../../base/errors.ts';
import type { ArchiveLimits, ArchiveVolume } from './contract.ts';
import { hasLongComment, type ParsedListing, parseListing, parsePlainNames } from './listing.ts';
import type { SevenZip, SevenZipRun, StopReason } from './seven-zip.ts';
import { archiveSignature } from './signatures.ts';
import { firstVolumeName } from './volumes.ts';

/** One archive and what may be spent on it. */
export interface Session {
  readonly sevenZip: SevenZip;
  readonly inputs: readonly ArchiveVolume[];
  readonly name: string | undefined;
  readonly limits: ArchiveLimits;
  readonly tick: () => void;
}

/** Lines 7-Zip prints per entry, and some for the rest. */
const linesPerEntry = 40;
const linesBesides = 1_000;

/** What 7-Zip also opens, though nobody would call it an archive: sections of programs, frames of films. */
const notArchives: ReadonlySet<string> = new Set([
  'pe',
  'te',
  'elf',
  'macho',
  'mub',
  'coff',
  'swf',
  'swfc',
  'flv',
  'ihex',
  'lp',
  'avb',
]);

const stopTexts: Readonly<Record<StopReason, string>> = {
  'total-bytes': 'it unpacks to more than the total allowed',
  'entry-bytes': 'one entry unpacks to more than allowed',
  entries: 'it has more entries than allowed',
  ratio: 'it unpacks to very much more than it takes: a decompression bomb',
  'output-text': 'it has more entries than allowed',
  'wrong-password': 'the password is wrong',
  memory: 'it wants more memory than allowed',
};

export function stopError(reason: StopReason): TargetError {
  return new TargetError(`the archive was not unpacked: ${stopTexts[reason]}`, {
    hint: 'raise the limit if this archive is expected to be that large',
  });
}

export function run(session: Session, args: readonly string[], more: object = {}): Promise<SevenZipRun> {
  const { limits, inputs, tick } = session;
  const first = inputs[0]?.name ?? 'a';
  // Left to itself it opens the data of a Debian package and passes over the scripts beside it.
  const isAr = archiveSignature(inputs[0]?.bytes ?? new Uint8Array()) === 'ar';
  return session.sevenZip({
    args: [...args, ...(isAr ? ['-tAr'] : []), '-bd', '--', first],
    inputs,
    memoryBytes: limits.memoryBytes,
    mostLines: limits.entries * linesPerEntry + linesBesides,
    tick,
    ...more,
  });
}

export interface OpenedListing {
  readonly listing: ParsedListing;
  readonly format: string;
  /** Null: none was needed to see the names. */
  readonly password: string | null;
}

const encryptedHeader = /Cannot open encrypted archive|Wrong password/;

/** Lists with the first password that opens the names; an archive that is open needs one try. */
export async function openListing(session: Session, passwords: readonly string[]): Promise<OpenedListing> {
  let isHeaderEncrypted = false;
  let hasFailed = false;
  for (const password of ['', ...passwords.filter((each) => each !== '')]) {
    const listed = await run(session, ['l', '-slt', `-p${password}`]);
    if (listed.stopped !== null) throw stopError(listed.stopped);
    if (listed.exitCode === null && listed.isOutOfMemory) throw stopError('memory');
    // This build cannot catch what its reader of names throws, and a wrong password makes it throw.
    if (listed.exitCode === null && canHideNames(session)) {
      hasFailed = true;
      continue;
    }
    if (listed.exitCode === null) throw notAnArchive(session);
    if (listed.errors.some(({ line }) => encryptedHeader.test(line))) {
      isHeaderEncrypted = true;
      continue;
    }
    const names = hasLongComment(listed.lines)
      ? parsePlainNames((await run(session, ['l', '-ba', `-p${password}`])).lines)
      : null;
    const listing = parseListing(listed.lines, names);
    if (listing.format === null) throw notAnArchive(session);
    if (notArchives.has(listing.format)) throw notAnArchive(session);
    const firstName = session.inputs.length === 1 ? firstVolumeName(session.name ?? '') : null;
    if (firstName !== null && (listing.isMultiVolume || (listing.volumeIndex ?? 0) > 0)) throw notAnArchive(session);
    isHeaderEncrypted ||= hasFailed;
    return {
      listing: { ...listing, isHeaderEncrypted },
      format: listing.format,
      password: isHeaderEncrypted ? password : null,
    };
  }
  const state = isHeaderEncrypted ? 'encrypted' : 'encrypted or damaged';
  throw new TargetError(`the names in this archive are ${state}, and none of the passwords opens it`, {
    hint: 'give the password',
  });
}

function canHideNames({ inputs }: Session): boolean {
  return ['7z', 'rar'].includes(archiveSignature(inputs[0]?.bytes ?? new Uint8Array()) ?? '');
}

function notAnArchive(session: Session): TargetError {
  const first = firstVolumeName(session.name ?? '');
  if (first !== null && session.inputs.length === 1) {
    return new TargetError('this is a later part of a multi-volume archive', {
      hint: `open ${JSON.stringify(first)} and give the other parts with it`,
    });
  }
  return new TargetError('this is no archive of a known form');
}
