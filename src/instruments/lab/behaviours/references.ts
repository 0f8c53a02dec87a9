import type { Layout, Piece } from './layout.ts';

/** Places in a program that name an address: operands of instructions, and pointers in data. */

export interface Reference {
  /** Of the operand within the instruction, or of the pointer. */
  readonly address: number;
  readonly section: string;
  readonly form: string;
}

export interface Scan {
  /** Which group of the asked-for addresses this one belongs to; undefined: none. */
  readonly groupOf: (address: number) => number | undefined;
  readonly onCode: (group: number, reference: Reference) => void;
  readonly onPointer: (group: number, reference: Reference) => void;
  readonly tick: () => void;
}

const tickEvery = 0xffff;

const relativeForms: Readonly<Record<number, string>> = {
  141: 'lea',
  139: 'mov',
  59: 'cmp',
  57: 'cmp',
  137: 'mov',
  255: 'push or call',
  15: 'load',
};

/** Opcodes with a constant behind the distance, which is counted from the end of both. */
const immediateBytes: Readonly<Record<number, number>> = {
  128: 1,
  131: 1,
  198: 1,
  192: 1,
  193: 1,
  107: 1,
  129: 4,
  199: 4,
  105: 4,
};

function immediateForm(before: number): string | undefined {
  if (before === 0x68) return 'push';
  if (before >= 0xb8 && before <= 0xbf) return 'mov';
  return undefined;
}

/** x86: every address is spelled out in the instruction. */
function scanX86(view: DataView, piece: Piece, scan: Scan): void {
  const end = piece.offset + piece.size - 4;
  for (let at = piece.offset; at <= end; at += 1) {
    if ((at & tickEvery) === 0) scan.tick();
    const group = scan.groupOf(view.getUint32(at, true));
    if (group === undefined) continue;
    const form = (at > piece.offset ? immediateForm(view.getUint8(at - 1)) : undefined) ?? 'operand';
    scan.onCode(group, { address: piece.address + at - piece.offset, section: piece.name, form });
  }
}

/** x64: mostly relative to the next instruction, which may have an immediate of one or four bytes behind the distance. */
function scanX64(view: DataView, piece: Piece, scan: Scan): void {
  const end = piece.offset + piece.size - 4;
  for (let at = piece.offset + 1; at <= end; at += 1) {
    if ((at & tickEvery) === 0) scan.tick();
    const here = piece.address + at - piece.offset;
    const before = view.getUint8(at - 1);
    if ((before & 0xc7) === 0x05) {
      const target = here + 4 + view.getInt32(at, true);
      const opcode = at - piece.offset >= 2 ? view.getUint8(at - 2) : 0;
      const group = scan.groupOf(target + (immediateBytes[opcode] ?? 0));
      if (group !== undefined) {
        const form = relativeForms[opcode] ?? 'operand';
        scan.onCode(group, { address: here, section: piece.name, form: `${form}, relative` });
      }
    }
    const form = immediateForm(before);
    if (form === undefined) continue;
    const narrow = scan.groupOf(view.getUint32(at, true));
    const wide =
      at + 8 <= piece.offset + piece.size
        ? view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32
        : undefined;
    const group = narrow ?? (wide === undefined ? undefined : scan.groupOf(wide));
    if (group !== undefined) scan.onCode(group, { address: here, section: piece.name, form });
  }
}

/** How many instructions may lie between the page and the place within it. */
const reach = 8;

/** Distance in pages, out of the two fields of ADRP. */
function adrDistance(word: number): number {
  const high = (word >>> 5) & 0x7ffff;
  const value = (high << 2) | ((word >>> 29) & 3);
  return value & 0x100000 ? value - 0x200000 : value;
}

function scanArm64(view: DataView, piece: Piece, scan: Scan): void {
  const start = piece.offset + ((4 - (piece.address & 3)) & 3);
  const end = piece.offset + piece.size - 4;
  for (let at = start; at <= end; at += 4) {
    if ((at & tickEvery) < 4) scan.tick();
    const word = view.getUint32(at, true);
    const here = piece.address + at - piece.offset;
    const isPage = (word & 0x9f000000) >>> 0 === 0x90000000;
    const isNear = (word & 0x9f000000) >>> 0 === 0x10000000;
    if (isNear) {
      const group = scan.groupOf(here + adrDistance(word));
      if (group !== undefined) scan.onCode(group, { address: here, section: piece.name, form: 'adr' });
    }
    if (!isPage) continue;
    const register = word & 31;
    const page = here - (here % 4096) + adrDistance(word) * 4096;
    for (let next = at + 4; next <= Math.min(end, at + reach * 4); next += 4) {
      const follower = view.getUint32(next, true);
      // ADD (immediate), 64 bit, not shifted, from the same register.
      if ((follower & 0xffc00000) >>> 0 !== 0x91000000 || ((follower >>> 5) & 31) !== register) continue;
      const group = scan.groupOf(page + ((follower >>> 10) & 0xfff));
      if (group !== undefined) scan.onCode(group, { address: here, section: piece.name, form: 'adrp, add' });
      break;
    }
  }
}

const codeScans = { x86: scanX86, x64: scanX64, arm64: scanArm64 } as const;

function scanPointers(view: DataView, layout: Layout, piece: Piece, scan: Scan): void {
  const { pointerBytes, isLittleEndian } = layout;
  const start = piece.offset + ((4 - (piece.address & 3)) & 3);
  const end = piece.offset + piece.size - pointerBytes;
  for (let at = start; at <= end; at += 4) {
    if ((at & tickEvery) < 4) scan.tick();
    const [low, high] = isLittleEndian ? [0, 4] : [4, 0];
    const value =
      pointerBytes === 4
        ? view.getUint32(at, isLittleEndian)
        : view.getUint32(at + low, isLittleEndian) + view.getUint32(at + high, isLittleEndian) * 2 ** 32;
    const group = scan.groupOf(value);
    if (group !== undefined)
      scan.onPointer(group, { address: piece.address + at - piece.offset, section: piece.name, form: 'pointer' });
  }
}

/** True when code of this machine could be read; pointers are looked for in any case. */
export function scanReferences(bytes: Uint8Array, layout: Layout, scan: Scan): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const readCode = layout.machine === 'other' || !layout.isLittleEndian ? undefined : codeScans[layout.machine];
  for (const piece of layout.pieces) {
    if (piece.isExecutable && readCode !== undefined) readCode(view, piece, scan);
    if (!piece.isExecutable || readCode === undefined) scanPointers(view, layout, piece, scan);
  }
  return readCode !== undefined;
}
