import { createHash } from 'node:crypto';
import type { Gathering } from '../native/gathering.ts';
import { flagNames, hex, tidy } from '../native/wording.ts';
import { attempt, makeReader, type Reader } from '../reader.ts';
import { findEntitlements } from './entitlements.ts';
import type { MachImage } from './image.ts';
import { signatureFlags, signatureHashes } from './names.ts';

const magics = { container: 0xfade0cc0, directory: 0xfade0c02, entitlements: 0xfade7171, cms: 0xfade0b01 } as const;
const mostBlobs = 32;
const mostDirectories = 4;

/** What a code signature says, and whether its page hashes are those of the file. Who signed it is not verified. */
export function describeSignature(image: MachImage, gathering: Gathering): void {
  const { facts } = gathering;
  const command = image.command(0x1d);
  facts.is_signed = command !== undefined;
  if (command === undefined) return;
  const data = image.reader.cut(image.reader.u32(command.at + 8), image.reader.u32(command.at + 12));
  const reader = makeReader(data, 'big');
  if (reader.u32(0) !== magics.container) {
    gathering.notes.push('code signature: it does not begin as one');
    return;
  }
  const directories = [];
  let authority = false;
  for (let index = 0; index < Math.min(reader.u32(8), mostBlobs); index += 1) {
    gathering.input.tick();
    const at = attempt(() => reader.u32(12 + index * 8 + 4));
    const magic = at === undefined ? undefined : attempt(() => reader.u32(at));
    if (at === undefined || magic === undefined) break;
    const length = reader.u32(at + 4);
    const blob = makeReader(reader.cut(at, length), 'big');
    if (magic === magics.directory && directories.length < mostDirectories)
      directories.push(attempt(() => directoryFacts(image, blob, gathering.input.tick)) ?? null);
    if (magic === magics.cms && length > 8) authority = true;
    if (magic === magics.entitlements && length > 8) {
      const xml = Buffer.from(blob.cut(8, blob.length - 8)).toString('utf8');
      facts.entitlements = findEntitlements(xml, gathering);
      gathering.text('entitlements', xml);
    }
  }
  facts.signature = { directories, has_certificates: authority, note: 'The chain of certificates is not checked.' };
  const broken = directories.filter((one) => one?.pages_match === false);
  if (broken.length === 0) return;
  gathering.find({
    rule: 'macho.signature.mismatch',
    title: 'There is a code signature, but it does not hold for this file',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: broken.map((one) => ({ where: 'code directory', text: one?.identifier ?? '' })),
    benign: 'A file that was stripped, patched or damaged after signing has this.',
    attack: ['T1036.001'],
  });
}

function directoryFacts(image: MachImage, blob: Reader, tick: () => void) {
  const version = blob.u32(8);
  const hash = signatureHashes[blob.u8(37)];
  const teamAt = version >= 0x20200 ? blob.u32(48) : 0;
  return {
    identifier: tidy(blob.cString(blob.u32(20), 256), 256),
    team: teamAt === 0 ? null : tidy(blob.cString(teamAt, 64), 64),
    version: hex(version),
    flags: flagNames(blob.u32(12), signatureFlags),
    hash: hash ?? hex(blob.u8(37)),
    code_hash: hash === undefined ? null : createHash(hash).update(blob.bytes).digest('hex').slice(0, 40),
    pages: blob.u32(28),
    pages_match: hash === undefined ? null : pagesMatch(image, blob, hash, tick),
  };
}

/** Each page of the file has a hash of its own. */
function pagesMatch(image: MachImage, blob: Reader, hash: string, tick: () => void): boolean {
  const [hashOffset, slots, limit] = [blob.u32(16), blob.u32(28), blob.u32(32)];
  const hashSize = blob.u8(36);
  const shift = blob.u8(39);
  const pageSize = shift === 0 ? limit : 2 ** Math.min(shift, 31);
  // Smaller pages than any system has would only cost time.
  if (hashSize === 0 || pageSize < Math.min(limit, 512) || limit > image.reader.length) return false;
  if (slots !== Math.ceil(limit / pageSize)) return false;
  for (let index = 0; index < slots; index += 1) {
    if (index % 256 === 0) tick();
    const page = image.reader.cut(index * pageSize, Math.min(pageSize, limit - index * pageSize));
    const computed = createHash(hash).update(page).digest().subarray(0, hashSize);
    if (!computed.equals(blob.slice(hashOffset + index * hashSize, hashSize))) return false;
  }
  return true;
}
