import { UsageError } from '../../../base/errors.ts';
import type { ArchiveVolume } from './contract.ts';

/** Archives in several files, told by how the parts are called. */

interface VolumeForm {
  /** Groups: stem, number or nothing. */
  readonly pattern: RegExp;
  /** The part to begin with. */
  readonly first: (stem: string, number: string) => string;
  readonly isFirst: (number: string) => boolean;
  /** Parts that are simply the whole cut into pieces. */
  readonly isCut: boolean;
}

const forms: readonly VolumeForm[] = [
  {
    pattern: /^(.+)\.part([0-9]{1,5})\.(?:rar|exe)$/i,
    first: (stem, number) => `${stem}.part${'1'.padStart(number.length, '0')}.rar`,
    isFirst: (number) => Number(number) === 1,
    isCut: false,
  },
  { pattern: /^(.+)\.r([0-9]{2})$/i, first: (stem) => `${stem}.rar`, isFirst: () => false, isCut: false },
  { pattern: /^(.+)\.z([0-9]{2})$/i, first: (stem) => `${stem}.zip`, isFirst: () => false, isCut: false },
  {
    pattern: /^(.+)\.([0-9]{3,4})$/i,
    first: (stem, number) => `${stem}.${'1'.padStart(number.length, '0')}`,
    isFirst: (number) => Number(number) === 1,
    isCut: true,
  },
];

function baseName(name: string): string {
  return name.split(/[\\/]/).at(-1) ?? '';
}

/** The name of the part to begin with, when this one is a later one. */
export function firstVolumeName(name: string): string | null {
  const base = baseName(name);
  for (const form of forms) {
    const [, stem, number] = form.pattern.exec(base) ?? [];
    if (stem !== undefined && number !== undefined && !form.isFirst(number)) return form.first(stem, number);
  }
  return null;
}

/** The files as 7-Zip has to find them, the one to open first. Their names become ours, but for the counting. */
export function arrangeVolumes(
  bytes: Uint8Array,
  name: string,
  volumes: readonly ArchiveVolume[],
): readonly ArchiveVolume[] {
  if (volumes.length === 0) return [{ name: 'a', bytes }];
  const own = baseName(name);
  const all = new Map([...volumes.map((volume) => [baseName(volume.name), volume.bytes] as const), [own, bytes]]);
  const firstName = firstVolumeName(own) ?? own;
  if (!all.has(firstName)) throw missing(firstName);
  const cut = forms.find((form) => form.isCut);
  const [, stem] = cut?.pattern.exec(firstName) ?? [];
  if (cut !== undefined && stem !== undefined) return [{ name: 'a', bytes: joinParts(all, stem, cut) }];
  const stemOf = firstName.replace(/(?:\.part[0-9]+)?\.[^.]*$/i, '');
  const renamed = [...all].map(([each, part]) => ({
    name: each.startsWith(stemOf) ? `a${each.slice(stemOf.length).replace(/[^A-Za-z0-9.]/g, '_')}` : '_',
    bytes: part,
    isFirst: each === firstName,
  }));
  return renamed.toSorted((left, right) => Number(right.isFirst) - Number(left.isFirst));
}

function joinParts(all: ReadonlyMap<string, Uint8Array>, stem: string, form: VolumeForm): Uint8Array {
  const parts = [...all]
    .flatMap(([name, bytes]) => {
      const [, own, number] = form.pattern.exec(name) ?? [];
      return own === stem ? [{ number: Number(number), bytes }] : [];
    })
    .toSorted((left, right) => left.number - right.number);
  parts.forEach(({ number }, at) => {
    if (number !== at + 1) throw missing(`${stem}.${String(at + 1).padStart(3, '0')}`);
  });
  return Uint8Array.from(Buffer.concat(parts.map(({ bytes }) => bytes)));
}

function missing(firstName: string): UsageError {
  return new UsageError('a part of a multi-volume archive cannot be opened without the others', {
    hint: `open ${JSON.stringify(firstName)} and give the other parts with it`,
  });
}

export function refuseLaterPart(name: string | undefined, volumes: readonly ArchiveVolume[]): void {
  const first = name === undefined || volumes.length > 0 ? null : firstVolumeName(name);
  if (first !== null) throw missing(first);
}
