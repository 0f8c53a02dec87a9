import { createHash } from 'node:crypto';
import { contentHint } from '../native/content-hint.ts';
import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import type { PeImage } from './image.ts';
import { recogniseInstallers } from './installers.ts';

/** Where the file ends for the loader: after the headers and the last section. */
export function imageEnd({ sections, sizeOfHeaders, reader }: PeImage): number {
  const ends = sections.filter(({ rawSize }) => rawSize > 0).map(({ rawOffset, rawSize }) => rawOffset + rawSize);
  return Math.min(reader.length, Math.max(sizeOfHeaders, ...ends.filter((end) => end <= reader.length), 0));
}

export function describeOverlay(
  image: PeImage,
  measure: (piece: Uint8Array) => number | null,
  gathering: Gathering,
): void {
  const { reader } = image;
  const { facts } = gathering;
  const start = imageEnd(image);
  const certificates = image.directory('security');
  const signed = certificates !== undefined && certificates.rva >= start && certificates.rva < reader.length;
  const end = signed ? certificates.rva : reader.length;
  const behind = signed ? Math.max(0, reader.length - certificates.rva - certificates.size) : 0;
  const overlay = reader.cut(start, end - start);
  recogniseInstallers(image, overlay, start, gathering);
  if (behind > 8)
    gathering.find({
      rule: 'pe.overlay.behind-signature',
      title: 'Data lies behind the signature, where no hash covers its meaning',
      severity: 'low',
      evidenceType: 'structural',
      evidence: [{ where: `offset ${hex(reader.length - behind)}`, text: `${behind} bytes` }],
      benign: 'Download managers write a campaign or customer number there.',
      attack: ['T1027'],
    });
  if (overlay.length === 0 || (signed && overlay.length < 8)) return;
  const entropy = measure(overlay);
  const hint = contentHint(overlay);
  facts.overlay = {
    offset: start,
    size: overlay.length,
    share_of_file: Math.round((overlay.length / reader.length) * 1000) / 1000,
    entropy,
    content: hint,
    sha256: overlay.length <= 67_108_864 ? createHash('sha256').update(overlay).digest('hex') : null,
  };
  gathering.find({
    rule: 'pe.overlay.present',
    title: 'Data is appended behind the last section',
    severity: 'info',
    evidenceType: 'structural',
    evidence: [
      {
        where: `offset ${hex(start)}`,
        text: `${overlay.length} bytes, entropy ${entropy ?? 'not measured'}, ${hint ?? 'no known beginning'}`,
      },
    ],
    benign: 'Self-extracting archives, installers and signed files all have data there.',
    attack: ['T1027.009'],
  });
  if (hint !== null) gathering.child({ name: 'overlay', bytes: overlay, how: `overlay at offset ${hex(start)}` });
  describePadding(overlay, start, reader.length, gathering);
}

const smallestPadding = 1024 * 1024;

/** One value repeated at the end makes a file too large for scanners. */
function describePadding(overlay: Uint8Array, start: number, fileLength: number, gathering: Gathering): void {
  const last = overlay.at(-1) ?? 0;
  let from = overlay.length;
  while (from > 0 && overlay[from - 1] === last) {
    from -= 1;
    if ((from & 0xfffff) === 0) gathering.input.tick();
  }
  const padding = overlay.length - from;
  if (padding < smallestPadding || padding < fileLength / 2) return;
  gathering.facts.padding = { offset: start + from, size: padding, value: last };
  gathering.find({
    rule: 'pe.overlay.padding',
    title: 'Most of the file is padding behind the program',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: [
      {
        where: `offset ${hex(start + from)}`,
        text: `${padding} times the byte ${hex(last)}, of ${fileLength} bytes in all`,
      },
    ],
    benign: 'Disk images of firmware and badly made installers are padded to a round size.',
    attack: ['T1027.001'],
    mbc: ['E1027'],
  });
}
