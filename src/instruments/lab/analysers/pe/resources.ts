import { createHash } from 'node:crypto';
import { contentHint } from '../native/content-hint.ts';
import type { Gathering } from '../native/gathering.ts';
import { hex, tidy } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { PeImage } from './image.ts';
import { resourceTypes } from './names.ts';

export interface PeResource {
  readonly type: string;
  readonly name: string;
  readonly language: number;
  readonly rva: number;
  readonly size: number;
  readonly bytes: Uint8Array;
}

const mostEntries = 4096;
const mostListed = 200;

/** Three levels (type, name, language); a tree that refers to itself ends at the budget. */
export function readResources(image: PeImage, gathering: Gathering): PeResource[] {
  const directory = image.directory('resource');
  if (directory === undefined) return [];
  const { reader } = image;
  const root = image.offsetOf(directory.rva);
  const found: PeResource[] = [];
  let left = mostEntries;
  const label = (value: number, level: number): string => {
    if (value >= 0x80000000) {
      const at = root + (value - 0x80000000);
      return attempt(() => tidy(reader.utf16(at + 2, Math.min(reader.u16(at), 128)), 128)) ?? 'unreadable';
    }
    return (level === 0 ? resourceTypes[value] : undefined) ?? String(value);
  };
  const walk = (at: number, path: readonly string[]): void => {
    gathering.input.tick();
    const count = reader.u16(at + 12) + reader.u16(at + 14);
    for (let index = 0; index < count && left > 0; index += 1) {
      left -= 1;
      const entry = at + 16 + index * 8;
      const id = reader.u32(entry);
      const target = reader.u32(entry + 4);
      const here = [...path, path.length < 2 ? label(id, path.length) : String(id)];
      if (target >= 0x80000000) {
        if (path.length < 2) walk(root + (target - 0x80000000), here);
        else gathering.notes.push('resources: the tree is deeper than three levels');
        continue;
      }
      const data = root + target;
      const [rva, size] = [reader.u32(data), reader.u32(data + 4)];
      const start = attempt(() => image.offsetOf(rva));
      const bytes = start === undefined ? new Uint8Array() : reader.cut(start, size);
      if (bytes.length < size) gathering.notes.push('resources: some lie outside of the file');
      found.push({ type: here[0] ?? '', name: here[1] ?? '', language: path.length === 2 ? id : 0, rva, size, bytes });
    }
  };
  gathering.part('resources', () => walk(root, []));
  return found;
}

export function describeResources(
  resources: readonly PeResource[],
  measure: (piece: Uint8Array) => number | null,
  gathering: Gathering,
): void {
  if (resources.length === 0) return;
  const { facts } = gathering;
  const total = resources.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const measured = resources.slice(0, mostListed).map((resource) => ({ resource, entropy: measure(resource.bytes) }));
  facts.resource_count = resources.length;
  facts.resource_bytes = total;
  facts.icon_count = resources.filter(({ type }) => type === 'group_icon').length;
  facts.resource_languages = [...new Set(resources.map(({ language }) => language))].slice(0, 50).map(languageName);
  facts.resources = measured.map(({ resource, entropy }) => ({
    type: resource.type,
    name: resource.name,
    language: languageName(resource.language),
    size: resource.size,
    entropy,
    content: contentHint(resource.bytes),
    sha256: entropy !== null ? createHash('sha256').update(resource.bytes).digest('hex') : null,
  }));
  const dense = measured.filter(
    ({ resource, entropy }) => resource.bytes.length >= 4096 && (entropy ?? 0) >= 7.5 && !pictures.has(resource.type),
  );
  if (dense.length > 0)
    gathering.find({
      rule: 'pe.resource.high-entropy',
      title: 'Resources whose content is compressed or encrypted',
      severity: 'low',
      evidenceType: 'structural',
      evidence: dense.map(({ resource, entropy }) => ({
        where: where(resource),
        text: `${resource.size} bytes, entropy ${entropy}`,
      })),
      benign: 'Compressed help, pictures and installers are kept as resources too.',
      attack: ['T1027.009'],
      mbc: ['E1027'],
    });
  takeChildren(resources, gathering);
}

const pictures = new Set(['icon', 'bitmap', 'cursor', 'group_icon']);
const where = ({ type, name, language }: PeResource): string => `resource ${type}/${name}/${language}`;

function takeChildren(resources: readonly PeResource[], gathering: Gathering): void {
  const programs: PeResource[] = [];
  for (const resource of resources) {
    const hint = contentHint(resource.bytes);
    if (hint === null || pictures.has(resource.type) || hint.endsWith('picture') || resource.type === 'manifest')
      continue;
    if (hint === 'Windows executable') programs.push(resource);
    gathering.child({
      name: `${resource.type}-${resource.name}-${resource.language}`,
      bytes: resource.bytes,
      how: where(resource),
    });
  }
  if (programs.length === 0) return;
  gathering.find({
    rule: 'pe.resource.executable',
    title: 'Another Windows executable is kept as a resource',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: programs.map((resource) => ({ where: where(resource), text: `${resource.size} bytes` })),
    benign: 'Installers and tools that come with a driver or a helper of another word size carry them like this.',
    attack: ['T1027.009'],
    mbc: ['B0023'],
  });
}

const languages: Readonly<Record<number, string>> = {
  0: 'neutral',
  1028: 'zh-TW',
  1029: 'cs-CZ',
  1031: 'de-DE',
  1033: 'en-US',
  1034: 'es-ES',
  1036: 'fr-FR',
  1037: 'he-IL',
  1040: 'it-IT',
  1041: 'ja-JP',
  1042: 'ko-KR',
  1043: 'nl-NL',
  1045: 'pl-PL',
  1046: 'pt-BR',
  1049: 'ru-RU',
  1055: 'tr-TR',
  1058: 'uk-UA',
  1065: 'fa-IR',
  1066: 'vi-VN',
  2052: 'zh-CN',
  2057: 'en-GB',
};

const languageName = (id: number): string => languages[id] ?? hex(id);
