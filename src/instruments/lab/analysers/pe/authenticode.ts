import { createHash } from 'node:crypto';
import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { PeDirectory, PeImage } from './image.ts';
import { readSignedData, type SignedData } from './signed-data.ts';

/** The hash that a signature covers: the file without the checksum, the pointer to the signature, and the signature. */
export function authenticodeHash(image: PeImage, algorithm: string, table: PeDirectory | undefined): string | null {
  const { reader, checksumOffset, directoriesOffset } = image;
  const pointer = directoriesOffset + 4 * 8;
  const hash = createHashFor(algorithm);
  if (hash === null || pointer + 8 > reader.length) return null;
  const start = table === undefined ? reader.length : Math.min(table.rva, reader.length);
  if (start < pointer + 8) return null;
  hash.update(reader.cut(0, checksumOffset));
  hash.update(reader.cut(checksumOffset + 4, pointer - checksumOffset - 4));
  hash.update(reader.cut(pointer + 8, start - pointer - 8));
  const behind = table === undefined ? reader.length : start + table.size;
  hash.update(reader.cut(behind, Math.max(0, reader.length - behind)));
  return hash.digest('hex');
}

const known = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);
const createHashFor = (algorithm: string) => (known.has(algorithm) ? createHash(algorithm) : null);

const mostSignatures = 8;

/** The security directory holds an offset of the file, unlike all others. */
export function describeSignature(image: PeImage, gathering: Gathering): void {
  const { reader } = image;
  const { facts } = gathering;
  const table = image.directory('security');
  facts.authenticode_sha256 = authenticodeHash(image, 'sha256', table);
  facts.is_signed = false;
  if (table === undefined) return;
  const signatures = [];
  let at = table.rva;
  const end = Math.min(reader.length, table.rva + table.size);
  while (at + 8 <= end && signatures.length < mostSignatures) {
    gathering.input.tick();
    const length = reader.u32(at);
    if (length < 8) break;
    const revision = reader.u16(at + 4);
    const type = reader.u16(at + 6);
    const blob = reader.cut(at + 8, Math.min(length, end - at) - 8);
    const data = type === 2 ? attempt(() => readSignedData(blob)) : undefined;
    if (data === undefined) gathering.notes.push('signature: an entry of the certificate table cannot be read');
    else signatures.push(judge(image, table, data, blob, at, gathering));
    if (data !== undefined) facts.is_signed = true;
    if (revision === 0 && type === 0) break;
    at += (length + 7) & ~7;
  }
  facts.signatures = signatures;
  facts.signature_note = 'The chain of certificates and revocation are not checked.';
}

function judge(
  image: PeImage,
  table: PeDirectory,
  data: SignedData,
  blob: Uint8Array,
  at: number,
  gathering: Gathering,
) {
  const { derLength, certificates, ...rest } = data;
  const computed = authenticodeHash(image, data.digest_algorithm, table);
  const matches = computed === null ? null : computed === data.signed_digest;
  const where = `certificate table at offset ${hex(at)}`;
  if (matches === false || data.signature_valid === false || data.content_digest_matches === false)
    gathering.find({
      rule: 'pe.signature.mismatch',
      title: 'There is a signature, but it does not hold for this file',
      severity: 'medium',
      evidenceType: 'structural',
      evidence: [{ where, text: `signed ${data.signed_digest}, computed ${computed ?? 'not possible'}` }],
      benign: 'A file that was patched, translated or damaged after signing has this.',
      attack: ['T1036.001'],
    });
  const slack = blob.subarray(derLength);
  if (slack.length > 8 && slack.some((value) => value !== 0))
    gathering.find({
      rule: 'pe.signature.hidden-data',
      title: 'Data lies behind the signature within the certificate table, which no hash covers',
      severity: 'low',
      evidenceType: 'structural',
      evidence: [{ where, text: `${slack.length} bytes behind ${derLength} bytes of signature` }],
      benign: 'Some installers keep a download token there, so that the signature stays valid.',
      attack: ['T1027'],
    });
  if (data.signer?.self_issued === true)
    gathering.find({
      rule: 'pe.signature.self-issued',
      title: 'The certificate of the signer was issued by itself',
      severity: 'low',
      evidenceType: 'structural',
      evidence: [{ where, text: data.signer.subject }],
      benign: 'Developers sign test builds like this.',
      attack: ['T1553.002'],
    });
  return {
    ...rest,
    computed_digest: computed,
    digest_matches: matches,
    certificate_count: certificates.length,
    certificates: [...certificates],
  };
}
