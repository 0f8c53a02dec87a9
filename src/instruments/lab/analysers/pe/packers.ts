import type { Gathering } from '../native/gathering.ts';
import { tidy } from '../native/wording.ts';
import type { PeImage } from './image.ts';
import type { MeasuredSection } from './sections.ts';

/** Names that packers and protectors give to sections. */
interface PackerRow {
  readonly packer: string;
  readonly kind: 'packer' | 'protector';
  readonly sections: readonly RegExp[];
}

export const packerTable: readonly PackerRow[] = [
  { packer: 'UPX', kind: 'packer', sections: [/^\.?UPX[0-9!]$/i] },
  { packer: 'ASPack', kind: 'packer', sections: [/^\.aspack$/i, /^\.adata$/i, /^ASPack$/i] },
  { packer: 'MPRESS', kind: 'packer', sections: [/^\.MPRESS[12]$/] },
  { packer: 'PECompact', kind: 'packer', sections: [/^PEC2/, /^pec[12]?$/i, /^PECompact/i] },
  { packer: 'FSG', kind: 'packer', sections: [/^FSG!$/] },
  { packer: 'NsPack', kind: 'packer', sections: [/^\.?nsp[012]$/i] },
  { packer: 'Petite', kind: 'packer', sections: [/^\.?petite$/i] },
  { packer: 'MEW', kind: 'packer', sections: [/^MEW$/] },
  { packer: 'Upack', kind: 'packer', sections: [/^\.?Upack$/i, /^PS\xff\xd5/] },
  { packer: 'kkrunchy', kind: 'packer', sections: [/^kkrunchy$/i] },
  { packer: 'WWPack', kind: 'packer', sections: [/^\.WWPACK$/i, /^\.WWP32$/i] },
  { packer: 'RLPack', kind: 'packer', sections: [/^\.RLPack$/i, /^\.packed$/] },
  { packer: 'Themida', kind: 'protector', sections: [/^\.?themida$/i, /^\.winlice$/i, /^WinLicen$/] },
  { packer: 'VMProtect', kind: 'protector', sections: [/^\.vmp[0-9]$/i, /^VMP[0-9]$/] },
  { packer: 'Enigma', kind: 'protector', sections: [/^\.enigma[12]$/i] },
  { packer: 'Obsidium', kind: 'protector', sections: [/^\.obsidiu/i] },
  { packer: 'Armadillo', kind: 'protector', sections: [/^\.text1$/, /^\.data1$/, /^\.pdata1$/] },
  { packer: 'tElock', kind: 'protector', sections: [/^\.tElock/i] },
  { packer: 'yoda', kind: 'protector', sections: [/^\.yP$/, /^yC$/] },
  { packer: 'PESpin', kind: 'protector', sections: [/^\.?pespin$/i, /^\.taz$/] },
  { packer: 'Safengine', kind: 'protector', sections: [/^\.sedata$/] },
  { packer: 'Confuser', kind: 'protector', sections: [/^Confuse$/i] },
];

export interface PackerHint {
  readonly packer: string;
  readonly kind: 'packer' | 'protector' | 'unknown';
  readonly because: string;
}

/** What packed this file, as far as its layout tells. A name alone is a hint: anybody can name a section. */
export function guessPacker(image: PeImage, sections: readonly MeasuredSection[], importCount: number): PackerHint[] {
  const hints: PackerHint[] = [];
  for (const { packer, kind, sections: patterns } of packerTable) {
    const hit = sections.filter(({ name }) => patterns.some((pattern) => pattern.test(name)));
    // One of Armadillo's names alone is common in other files.
    if (hit.length === 0 || (packer === 'Armadillo' && hit.length < 2)) continue;
    hints.push({ packer, kind, because: `sections ${hit.map(({ name }) => tidy(name, 16)).join(', ')}` });
  }
  const start = Buffer.from(image.reader.cut(0, 4096));
  if (start.includes('UPX!') && !hints.some(({ packer }) => packer === 'UPX'))
    hints.push({ packer: 'UPX', kind: 'packer', because: 'the mark UPX! in the headers' });
  const entry = image.sectionOf(image.entryPoint);
  const code = sections.find(({ virtualAddress }) => virtualAddress === entry?.virtualAddress);
  if (
    hints.length === 0 &&
    code !== undefined &&
    (code.entropy ?? 0) >= 7.2 &&
    importCount < 20 &&
    code.presentBytes >= 1024
  )
    hints.push({ packer: 'unknown', kind: 'unknown', because: 'dense code at the entry point and few imports' });
  return hints;
}

export function describePacker(hints: readonly PackerHint[], gathering: Gathering): void {
  gathering.facts.packer = hints[0]?.packer ?? null;
  gathering.facts.packer_hints = hints.map((hint) => ({ ...hint }));
  if (hints.length === 0) return;
  gathering.find({
    rule: 'pe.packer',
    title: 'The layout is that of a packed or protected program',
    severity: hints.some(({ kind }) => kind === 'protector') ? 'medium' : 'low',
    evidenceType: 'structural',
    evidence: hints.map(({ packer, because }) => ({ where: packer, text: because })),
    benign: 'Packers save space, and protectors guard licences; both are sold to makers of ordinary software.',
    attack: ['T1027.002'],
    mbc: hints.some(({ packer }) => packer === 'UPX') ? ['F0001', 'F0001.008'] : ['F0001'],
  });
}
