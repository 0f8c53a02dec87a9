import type { Analyser, Child, Json, LabFinding, SampleText } from '../../contract.ts';
import type { KindId } from '../../kinds.ts';
import { type Decoder, decoders } from './decoders.ts';
import { findRegions, findRuns, type Run } from './find-runs.ts';
import { type Judged, judgeBytes } from './judge-bytes.ts';

const mostRuns = 2000;
const leastCharacters = Math.min(...decoders.map(({ least }) => least));
const mostFound = 100;
const mostChildren = 32;
const mostTextCharacters = 2 * 1024 * 1024;
const shownCharacters = 300;

interface Found {
  readonly decoder: Decoder;
  readonly run: Run;
  readonly isWide: boolean;
  readonly bytes: Uint8Array;
  readonly judged: Judged;
}

/** Two alphabets can find the same run: the first decoder that makes sense of a place keeps it. */
function isTaken(found: readonly Found[], run: Run): boolean {
  return found.some((one) => one.run.offset < run.offset + run.length && run.offset < one.run.offset + one.run.length);
}

function decodeAll(bytes: Uint8Array, tick: () => void): readonly Found[] {
  const found: Found[] = [];
  const searches = ([1, 2] as const).map((stride) => {
    const regions = findRegions(bytes, stride, leastCharacters, tick);
    return { bytes, regions, stride, most: mostRuns, tick };
  });
  for (const decoder of decoders) {
    for (const search of searches) {
      for (const run of findRuns(search, decoder)) {
        tick();
        if (found.length >= mostFound) return found;
        const decoded = decoder.decode(run.text);
        const judged = decoded === null ? null : judgeBytes(decoded);
        if (decoded === null || judged === null || isTaken(found, run)) continue;
        found.push({ decoder, run, isWide: search.stride === 2, bytes: decoded, judged });
      }
    }
  }
  return found;
}

const textKinds: readonly KindId[] = ['text', 'json', 'xml'];
const isFile = ({ judged }: Found): boolean => !textKinds.includes(judged.kind.id);

function describe({ decoder, run, isWide, bytes, judged }: Found): { [key: string]: Json } {
  return {
    encoding: decoder.id,
    offset: run.offset,
    length: run.length,
    is_utf16: isWide,
    decoded_bytes: bytes.length,
    kind: judged.kind.id,
    title: judged.kind.title,
    text: judged.text?.slice(0, shownCharacters) ?? null,
  };
}

const programs: readonly KindId[] = [
  'pe',
  'dotnet',
  'elf',
  'macho',
  'shellcode',
  'lnk',
  'msi',
  'class',
  'dex',
  'jar',
  'apk',
];

function findPrograms(found: readonly Found[]): readonly LabFinding[] {
  const inside = found.filter(({ judged }) => programs.includes(judged.kind.id));
  if (inside.length === 0) return [];
  return [
    {
      rule: 'general.encoding.program',
      title: 'A program lies inside, written as text',
      severity: 'medium',
      evidenceType: 'artifact',
      evidence: inside.slice(0, 10).map(({ decoder, run, judged }) => ({
        where: `offset 0x${run.offset.toString(16)}`,
        text: `${decoder.title}: ${judged.kind.title}; begins ${run.text.slice(0, 60)}`,
      })),
      benign: 'Installers written as scripts and build tools carry helpers in this way.',
      attack: ['T1027.009', 'T1140'],
      mbc: ['E1027'],
    },
  ];
}

function textsOf(found: readonly Found[]): readonly SampleText[] {
  let room = mostTextCharacters;
  return found.flatMap(({ decoder, run, judged }) => {
    if (judged.text === null || room <= 0) return [];
    const text = judged.text.slice(0, room);
    room -= text.length;
    return [{ label: `${decoder.id} at offset 0x${run.offset.toString(16)}`, text }];
  });
}

function childrenOf(found: readonly Found[]): readonly Child[] {
  return found
    .filter(isFile)
    .slice(0, mostChildren)
    .map(({ decoder, run, bytes, judged }) => ({
      name: `${decoder.id}-${run.offset.toString(16)}.${judged.kind.id}`,
      bytes,
      how: `${decoder.title} at offset 0x${run.offset.toString(16)}`,
    }));
}

export const encodings: Analyser = {
  id: 'encodings',
  title: 'Data written as text: base64, base32, hexadecimal, numbers',
  version: 1,
  kinds: 'any',
  depth: 'quick',
  timeoutMs: 30_000,
  analyse({ bytes, tick }) {
    const found = decodeAll(bytes, tick).toSorted((left, right) => left.run.offset - right.run.offset);
    return {
      facts: { total: found.length, decoded: found.map(describe) },
      findings: findPrograms(found),
      texts: textsOf(found),
      children: childrenOf(found),
      notes:
        found.length >= mostFound ? [`there is more encoded data than the ${mostFound} pieces that were decoded`] : [],
    };
  },
};
