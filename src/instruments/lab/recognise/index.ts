import type { Kind } from '../contract.ts';
import { type KindId, kindTitles } from '../kinds.ts';
import { binaryRules, recognisePdf } from './binary.ts';
import { decodeText } from './decode-text.ts';
import { findCodeSigns, mostShellcodeBytes, scoreSigns, shellcodePoints } from './machine-code.ts';
import { recogniseRawMemory } from './memory.ts';
import { findNameMismatch } from './names.ts';
import { recogniseDos } from './pe.ts';
import { recogniseText } from './text.ts';
import { recogniseAppendedZip } from './zip.ts';

export { type DecodedText, decodeText } from './decode-text.ts';

const someData: Kind = { id: 'data', title: kindTitles.data, mime: 'application/octet-stream' };

function recogniseShellcode(bytes: Uint8Array): Kind | null {
  if (bytes.length > mostShellcodeBytes) return null;
  const signs = findCodeSigns(bytes);
  if (scoreSigns(signs) < shellcodePoints) return null;
  const architecture = signs.toSorted((left, right) => right.points - left.points)[0]?.architecture;
  return {
    id: 'shellcode',
    title: `machine code without a container, ${architecture}`,
    mime: 'application/x-shellcode',
  };
}

function recogniseContent(bytes: Uint8Array): Kind {
  if (bytes.length === 0) return { id: 'empty', title: kindTitles.empty, mime: 'application/x-empty' };
  for (const rule of binaryRules) {
    const kind = rule(bytes);
    if (kind !== null) return kind;
  }
  const text = decodeText(bytes);
  if (text !== null) return recogniseText(text, bytes.length);
  return recogniseDos(bytes) ?? recogniseRawMemory(bytes) ?? recogniseShellcode(bytes) ?? someData;
}

/** Containers that other kinds begin as or end with in the ordinary course, and so are no second kind. */
const containers: readonly KindId[] = [
  'zip',
  'jar',
  'apk',
  'ooxml',
  'tar',
  'iso',
  'memory',
  'gzip',
  '7z',
  'rar',
  'cab',
  'xz',
  'bzip2',
];

/** What the bytes are besides: programs look for a PDF near the beginning, and for an archive from the end. */
function otherKinds(bytes: Uint8Array, id: KindId): readonly KindId[] {
  if (containers.includes(id)) return [];
  const others = [id === 'pdf' ? null : recognisePdf(bytes), recogniseAppendedZip(bytes)];
  return others.flatMap((kind) => (kind === null ? [] : [kind.id]));
}

/** What a file is, by its content alone: the name only says whether it claims something else. */
export function recogniseKind(bytes: Uint8Array, name: string): Kind {
  const kind = recogniseContent(bytes);
  const also = otherKinds(bytes, kind.id);
  const nameMismatch = findNameMismatch(name, [kind.id, ...also]);
  return {
    ...kind,
    ...(nameMismatch === undefined ? {} : { nameMismatch }),
    ...(also.length === 0 ? {} : { also }),
  };
}
