import type { Analyser, Child, LabFinding } from '../../contract.ts';
import { type KindId, kindIds, kindTitles } from '../../kinds.ts';
import { type Carved, carve } from './carve.ts';

/** Kinds that hold other files by their nature; their own analysers list what is inside. */
const holders: readonly KindId[] = [
  ...(['zip', 'jar', 'apk', 'ooxml', '7z', 'rar', 'tar', 'gzip', 'bzip2', 'xz', 'zstd', 'cab', 'iso'] as const),
  ...(['memory', 'pcap', 'empty', 'office-encrypted'] as const),
];
const programs: readonly KindId[] = ['pe', 'elf', 'macho', 'lnk', 'dex', 'autoit'];
const hosts: readonly KindId[] = ['pe', 'dotnet', 'elf', 'macho', 'msi', 'wasm', 'dex'];
const mostCarved = 64;
const mostChildren = 16;
const mostChildBytes = 32 * 1024 * 1024;

const where = ({ offset }: Carved): string => `offset 0x${offset.toString(16)}`;

function findingOf(kind: KindId, found: readonly Carved[]): readonly LabFinding[] {
  const inside = found.filter((one) => programs.includes(one.kind));
  if (inside.length === 0) return [];
  return [
    {
      rule: 'general.embedded.program',
      title: 'Another program lies inside the file',
      severity: hosts.includes(kind) ? 'low' : 'medium',
      evidenceType: 'artifact',
      evidence: inside
        .slice(0, 10)
        .map((one) => ({ where: where(one), text: `${kindTitles[one.kind]}, ${one.size} bytes` })),
      benign: 'Installers, drivers with helpers and libraries for several machines carry programs inside.',
      attack: ['T1027.009'],
      mbc: ['E1027'],
    },
  ];
}

export const embedded: Analyser = {
  id: 'embedded',
  title: 'Files inside the file',
  version: 1,
  kinds: kindIds.filter((id) => !holders.includes(id)),
  depth: 'standard',
  timeoutMs: 20_000,
  analyse({ bytes, kind, tick }) {
    const found = carve(bytes, mostCarved, tick);
    const children: Child[] = [];
    let room = mostChildBytes;
    for (const one of found) {
      if (children.length >= mostChildren || one.size > room) continue;
      room -= one.size;
      const name = `embedded-${one.offset.toString(16)}.${one.kind}`;
      children.push({
        name,
        bytes: bytes.slice(one.offset, one.offset + one.size),
        how: `${kindTitles[one.kind]} at ${where(one)}`,
      });
    }
    const missed = found.length - children.length;
    return {
      facts: { total: found.length, files: found.map(({ kind: id, offset, size }) => ({ kind: id, offset, size })) },
      findings: findingOf(kind.id, found),
      texts: [],
      children,
      notes:
        missed > 0
          ? [`${missed} of ${found.length} files inside were not taken out: they are too many or too large`]
          : [],
    };
  },
};
