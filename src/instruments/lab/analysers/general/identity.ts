import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Analyser, AnalyserInput, Facts, LabFinding } from '../../contract.ts';
import type { KindId } from '../../kinds.ts';
import { measureEntropy } from './entropy.ts';
import { ssdeep } from './ssdeep.ts';
import { tlsh } from './tlsh.ts';

const sliceBytes = 4 * 1024 * 1024;
const names = ['md5', 'sha1', 'sha256', 'sha512'] as const;
const packedKinds: readonly KindId[] = [
  ...(['zip', 'jar', 'apk', 'ooxml', '7z', 'rar', 'gzip', 'bzip2', 'xz', 'zstd', 'cab', 'image'] as const),
  ...(['office-encrypted', 'pdf', 'pcap', 'onenote', 'msi', 'iso', 'chm'] as const),
];
const highEntropy = 7.2;

function hashAll(bytes: Uint8Array, tick: () => void): Facts {
  const hashes = names.map((name) => createHash(name));
  let crc = 0;
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    tick();
    const slice = bytes.subarray(at, at + sliceBytes);
    for (const hash of hashes) hash.update(slice);
    crc = crc32(slice, crc);
  }
  const digests = Object.fromEntries(names.map((name, index) => [name, hashes[index]?.digest('hex') ?? '']));
  return { ...digests, crc32: crc.toString(16).padStart(8, '0') };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000);

function describeCounts(counts: Uint32Array, total: number): Facts {
  const sum = (from: number, to: number): number => counts.subarray(from, to).reduce((all, count) => all + count, 0);
  const common = [...counts.keys()].toSorted((left, right) => (counts[right] ?? 0) - (counts[left] ?? 0)).slice(0, 5);
  return {
    distinct_bytes: counts.reduce((all, count) => all + (count > 0 ? 1 : 0), 0),
    zero_share: share(counts[0] ?? 0, total),
    printable_share: share(sum(32, 127) + sum(9, 11) + sum(13, 14), total),
    high_share: share(sum(128, 256), total),
    most_common: common
      .filter((byte) => (counts[byte] ?? 0) > 0)
      .map((byte) => ({ byte: `0x${byte.toString(16).padStart(2, '0')}`, share: share(counts[byte] ?? 0, total) })),
  };
}

function findHighEntropy({ bytes, kind }: AnalyserInput, entropy: number): readonly LabFinding[] {
  if (bytes.length < 4096 || entropy < highEntropy || packedKinds.includes(kind.id)) return [];
  return [
    {
      rule: 'general.entropy.high',
      title: 'The bytes are spread as evenly as in packed or encrypted data',
      severity: 'low',
      evidenceType: 'structural',
      evidence: [{ where: 'the whole file', text: `${entropy} bits per byte` }],
      benign: 'Installers, games and media are packed, too, and much software is packed to be smaller.',
      attack: ['T1027.002'],
      mbc: ['F0001'],
    },
  ];
}

export const identity: Analyser = {
  id: 'identity',
  title: 'Size, hashes and entropy',
  version: 1,
  kinds: 'any',
  depth: 'quick',
  timeoutMs: 60_000,
  analyse(input) {
    const { bytes, tick } = input;
    const picture = measureEntropy(bytes, tick);
    const facts: Facts = {
      size: bytes.length,
      ...hashAll(bytes, tick),
      ssdeep: ssdeep(bytes, tick),
      tlsh: tlsh(bytes, tick),
      entropy: picture.total,
      entropy_block_bytes: picture.blockBytes,
      entropy_blocks: picture.blocks,
      bytes: describeCounts(picture.counts, bytes.length),
    };
    return { facts, findings: findHighEntropy(input, picture.total), texts: [], children: [], notes: [] };
  },
};
