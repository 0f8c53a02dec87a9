import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import { makeReader } from '../reader.ts';
import type { PeImage } from './image.ts';

/** Marks of programs that carry other programs. `near` says how far the search goes, from the start or from the end. */
interface Mark {
  readonly name: string;
  readonly bytes: Buffer;
  readonly place: 'overlay-start' | 'overlay-end' | 'overlay' | 'file';
  readonly note: string;
}

const marks: readonly Mark[] = [
  {
    name: 'nsis',
    bytes: Buffer.from('efbeadde4e756c6c736f6674496e7374', 'hex'),
    place: 'overlay-start',
    note: 'Nullsoft installer',
  },
  {
    name: 'inno_setup',
    bytes: Buffer.from('Inno Setup Setup Data (', 'latin1'),
    place: 'file',
    note: 'Inno Setup installer',
  },
  { name: 'inno_setup', bytes: Buffer.from('rDlPtS', 'latin1'), place: 'file', note: 'Inno Setup loader table' },
  {
    name: 'pyinstaller',
    bytes: Buffer.from('MEI\x0c\x0b\x0a\x0b\x0e', 'latin1'),
    place: 'overlay-end',
    note: 'PyInstaller archive',
  },
  { name: 'autoit', bytes: Buffer.from('AU3!EA06', 'latin1'), place: 'file', note: 'compiled AutoIt script' },
  { name: 'autoit', bytes: Buffer.from('AU3!EA05', 'latin1'), place: 'file', note: 'compiled AutoIt script' },
  { name: '7z_sfx', bytes: Buffer.from('377abcaf271c', 'hex'), place: 'overlay', note: '7-Zip self-extractor' },
  { name: 'rar_sfx', bytes: Buffer.from('526172211a07', 'hex'), place: 'overlay-start', note: 'RAR self-extractor' },
  { name: 'zip_sfx', bytes: Buffer.from('504b0304', 'hex'), place: 'overlay-start', note: 'ZIP self-extractor' },
  {
    name: 'installshield',
    bytes: Buffer.from('InstallShield', 'latin1'),
    place: 'overlay-start',
    note: 'InstallShield installer',
  },
  { name: 'wise', bytes: Buffer.from('WiseMain', 'latin1'), place: 'file', note: 'Wise installer' },
  { name: 'iexpress', bytes: Buffer.from('wextract.pdb', 'latin1'), place: 'file', note: 'IExpress self-extractor' },
  { name: 'nuitka', bytes: Buffer.from('KAX', 'latin1'), place: 'overlay-start', note: 'Nuitka one-file archive' },
  {
    name: 'node_sea',
    bytes: Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1', 'latin1'),
    place: 'file',
    note: 'Node.js single executable',
  },
];

const window = 128 * 1024;

function find(mark: Mark, file: Buffer, overlay: Buffer, overlayAt: number): number {
  const inside = (at: number, base: number): number => (at === -1 ? -1 : base + at);
  if (mark.place === 'file') return file.indexOf(mark.bytes);
  if (mark.place === 'overlay') return inside(overlay.indexOf(mark.bytes), overlayAt);
  if (mark.place === 'overlay-start') {
    const at = overlay.subarray(0, 1024).indexOf(mark.bytes);
    return inside(at, overlayAt);
  }
  // A signature or padding may follow, so the search goes back from the end.
  const from = Math.max(0, overlay.length - window);
  const at = overlay.subarray(from).lastIndexOf(mark.bytes);
  return inside(at, overlayAt + from);
}

export function recogniseInstallers(
  image: PeImage,
  overlay: Uint8Array,
  overlayAt: number,
  gathering: Gathering,
): void {
  const { bytes } = image.reader;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const tail = Buffer.from(overlay.buffer, overlay.byteOffset, overlay.length);
  const found = marks.flatMap((mark) => {
    gathering.input.tick();
    const at = find(mark, file, tail, overlayAt);
    return at === -1 ? [] : [{ mark, at }];
  });
  if (found.length === 0) return;
  gathering.facts.installers = [...new Set(found.map(({ mark }) => mark.name))];
  const python = found.find(({ mark }) => mark.name === 'pyinstaller');
  if (python !== undefined) gathering.facts.pyinstaller = describeCookie(bytes, python.at);
  gathering.find({
    rule: 'pe.installer',
    title: 'The program carries an archive or a script that it unpacks',
    severity: 'info',
    evidenceType: 'artifact',
    evidence: found.map(({ mark, at }) => ({ where: `offset ${hex(at)}`, text: mark.note })),
    benign: 'That is how most software is installed; what matters is what is inside.',
    attack: ['T1027.009'],
  });
}

/** Two layouts: 24 bytes up to version 2.0, 88 bytes with the name of the library since 2.1. Numbers are big endian. */
function describeCookie(bytes: Uint8Array, at: number) {
  const reader = makeReader(bytes, 'big');
  const left = reader.length - at;
  if (left < 24) return { offset: at, layout: null, python_version: null, library: null, archive_size: null };
  const packed = reader.u32(at + 20);
  const version =
    packed >= 100 ? `${Math.floor(packed / 100)}.${packed % 100}` : `${Math.floor(packed / 10)}.${packed % 10}`;
  const name = left >= 88 ? reader.cString(at + 24, 64) : '';
  const modern = /^[\x20-\x7e]{4,64}$/.test(name) && /python/i.test(name);
  return {
    offset: at,
    layout: modern ? 'since 2.1' : 'up to 2.0',
    python_version: packed < 1000 ? version : null,
    library: modern ? name : null,
    archive_size: reader.u32(at + 8),
  };
}
