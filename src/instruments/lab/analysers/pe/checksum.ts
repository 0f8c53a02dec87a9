import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import type { PeImage } from './image.ts';

/** The checksum that Windows demands of drivers: 16-bit words added with carry, plus the length. */
export function computeChecksum({ reader, checksumOffset }: PeImage, tick: () => void): number {
  const { bytes } = reader;
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    if ((at & 0xfffff) === 0) tick();
    if (at >= checksumOffset && at < checksumOffset + 4 && checksumOffset % 2 === 0) continue;
    sum += (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return ((sum & 0xffff) + bytes.length) >>> 0;
}

export function describeChecksum(image: PeImage, gathering: Gathering): void {
  const computed = computeChecksum(image, gathering.input.tick);
  const stored = image.checksum;
  gathering.facts.checksum = {
    stored: hex(stored),
    computed: hex(computed),
    valid: stored === 0 ? null : stored === computed,
  };
  if (stored === 0 || stored === computed) return;
  gathering.find({
    rule: 'pe.header.checksum',
    title: 'The stored checksum does not match the file',
    severity: 'info',
    evidenceType: 'structural',
    evidence: [
      { where: `offset ${hex(image.checksumOffset)}`, text: `stored ${hex(stored)}, computed ${hex(computed)}` },
    ],
    benign: 'Windows checks it for drivers only; many build and signing tools leave an old value behind.',
  });
}
