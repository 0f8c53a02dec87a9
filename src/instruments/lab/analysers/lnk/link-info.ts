import type { ByteView } from '../byte-view.ts';
import { driveTypes } from './tables.ts';

export interface LinkInfo {
  readonly localPath?: string;
  readonly driveType?: string;
  readonly volumeSerial?: string;
  readonly volumeLabel?: string;
  readonly share?: string;
  readonly device?: string;
  readonly size: number;
}

const mostCharacters = 2048;

function volume(view: ByteView, at: number): Pick<LinkInfo, 'driveType' | 'volumeSerial' | 'volumeLabel'> {
  const label = view.u32(at + 12);
  const name = label === 0x14 ? view.cString16(at + view.u32(at + 16), 256) : view.cString(at + label, 256);
  return {
    driveType: driveTypes[view.u32(at + 4)] ?? 'unknown',
    volumeSerial: view
      .u32(at + 8)
      .toString(16)
      .padStart(8, '0')
      .toUpperCase(),
    ...(name === '' ? {} : { volumeLabel: name }),
  };
}

function share(view: ByteView, at: number): Pick<LinkInfo, 'share' | 'device'> {
  const wide = view.u32(at + 8) > 0x14;
  const name = wide
    ? view.cString16(at + view.u32(at + 20), mostCharacters)
    : view.cString(at + view.u32(at + 8), mostCharacters);
  const deviceAt = view.u32(at + 12);
  const device = deviceAt === 0 ? '' : view.cString(at + deviceAt, 256);
  return { share: name, ...(device === '' ? {} : { device }) };
}

export function readLinkInfo(view: ByteView, at: number): LinkInfo {
  const size = view.u32(at);
  const headerSize = view.u32(at + 4);
  const flags = view.u32(at + 8);
  const wide = headerSize >= 0x24;
  const text = (narrow: number, unicode: number): string => {
    const here = wide ? view.u32(at + unicode) : 0;
    if (here !== 0) return view.cString16(at + here, mostCharacters);
    const there = view.u32(at + narrow);
    return there === 0 ? '' : view.cString(at + there, mostCharacters);
  };
  const suffix = text(24, 32);
  const local = (flags & 1) !== 0 ? text(16, 28) : '';
  const network = (flags & 2) !== 0 ? share(view, at + view.u32(at + 20)) : {};
  const whole = network.share === undefined || suffix === '' ? network.share : `${network.share}\\${suffix}`;
  return {
    size,
    ...((flags & 1) !== 0 ? { ...volume(view, at + view.u32(at + 12)), localPath: `${local}${suffix}` } : {}),
    ...network,
    ...(whole === undefined ? {} : { share: whole }),
  };
}
