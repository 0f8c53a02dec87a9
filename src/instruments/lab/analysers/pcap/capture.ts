import { type ByteView, makeByteView } from '../byte-view.ts';

/** Packets out of pcap (both byte orders, micro- and nanoseconds) and pcapng. */

export interface Packet {
  /** Seconds since 1970. */
  readonly time: number;
  readonly linkType: number;
  readonly data: Uint8Array;
  readonly originalLength: number;
}

export interface Capture {
  readonly format: 'pcap' | 'pcapng';
  readonly linkTypes: ReadonlySet<number>;
  readonly packets: number;
  readonly notes: readonly string[];
}

const mostPackets = 2_000_000;
const classic: Readonly<Record<number, { little: boolean; unit: number }>> = {
  2712847316: { little: false, unit: 1e6 },
  3569595041: { little: true, unit: 1e6 },
  2712812621: { little: false, unit: 1e9 },
  1295823521: { little: true, unit: 1e9 },
};

export function readCapture(bytes: Uint8Array, visit: (packet: Packet) => void, tick: () => void): Capture | undefined {
  const magic = makeByteView(bytes, false).u32(0);
  if (magic === 0x0a0d0d0a) return readBlocks(bytes, visit, tick);
  const form = classic[magic];
  if (form === undefined) return undefined;
  const view = makeByteView(bytes, form.little);
  const linkType = view.u32(20) & 0xffff;
  const notes: string[] = [];
  let packets = 0;
  for (let at = 24; view.fits(at, 16) && packets < mostPackets; packets += 1) {
    if (packets % 1000 === 0) tick();
    const length = view.u32(at + 8);
    const time = view.u32(at) + view.u32(at + 4) / form.unit;
    const data = view.slice(at + 16, length);
    visit({ time, linkType, data, originalLength: view.u32(at + 12) });
    if (data.length < length) notes.push('the last packet is cut short');
    at += 16 + length;
  }
  return { format: 'pcap', linkTypes: new Set([linkType]), packets, notes };
}

interface Interface {
  readonly linkType: number;
  /** Ticks in a second. */
  readonly unit: number;
}

function readInterface(view: ByteView, at: number, size: number): Interface {
  let unit = 1e6;
  for (let option = at + 16; option + 4 <= at + size - 4; ) {
    const code = view.u16(option);
    const length = view.u16(option + 2);
    if (code === 0) break;
    const value = view.u8(option + 4);
    if (code === 9) unit = (value & 0x80) !== 0 ? 2 ** (value & 0x7f) : 10 ** Math.min(value, 18);
    option += 4 + ((length + 3) & ~3);
  }
  return { linkType: view.u16(at + 8), unit };
}

function readBlocks(bytes: Uint8Array, visit: (packet: Packet) => void, tick: () => void): Capture {
  let view = makeByteView(bytes, true);
  const notes: string[] = [];
  const linkTypes = new Set<number>();
  let interfaces: Interface[] = [];
  let packets = 0;
  let blocks = 0;
  for (let at = 0; view.fits(at, 12) && packets < mostPackets; blocks += 1) {
    if (blocks % 1000 === 0) tick();
    if (makeByteView(bytes, false).u32(at) === 0x0a0d0d0a) {
      view = makeByteView(bytes, view.bytes[at + 8] === 0x4d);
      interfaces = [];
    }
    const type = view.u32(at);
    const size = view.u32(at + 4);
    if (size < 12 || !view.fits(at, size)) {
      notes.push(`a block at offset ${at} is cut short or has no length`);
      break;
    }
    if (type === 1 && interfaces.length < 1000) {
      const one = readInterface(view, at, size);
      interfaces.push(one);
      linkTypes.add(one.linkType);
    } else if (type === 6) {
      const mine = interfaces[view.u32(at + 8)];
      const ticks = view.u32(at + 12) * 0x1_0000_0000 + view.u32(at + 16);
      const length = Math.min(view.u32(at + 20), size - 32);
      packets += 1;
      if (mine !== undefined)
        visit({
          time: ticks / mine.unit,
          linkType: mine.linkType,
          data: view.slice(at + 28, length),
          originalLength: view.u32(at + 24),
        });
    } else if (type === 3) {
      const [mine] = interfaces;
      packets += 1;
      if (mine !== undefined)
        visit({
          time: 0,
          linkType: mine.linkType,
          data: view.slice(at + 12, Math.min(view.u32(at + 8), size - 16)),
          originalLength: view.u32(at + 8),
        });
    }
    at += (size + 3) & ~3;
  }
  return { format: 'pcapng', linkTypes, packets, notes };
}
