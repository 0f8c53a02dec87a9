import type { CompoundEntry, CompoundFile } from './read-compound-file.ts';

/** Makes a compound file of its own out of a storage, so that an embedded document can be looked at as one. */

const sectorBytes = 512;
const miniBytes = 64;
const miniCutoff = 4096;
const endOfChain = 0xfffffffe;
const free = 0xffffffff;
const maximalNodes = 2000;

interface Node {
  readonly name: string;
  readonly clsid: string;
  readonly content: Uint8Array | null;
  readonly children: Node[];
}

function treeOf(file: CompoundFile, storage: CompoundEntry): Node {
  const root: Node = { name: 'Root Entry', clsid: storage.clsid, content: null, children: [] };
  const prefix = `${storage.path}/`;
  const known = new Map<string, Node>([[storage.path, root]]);
  const below = file.entries.filter((entry) => !entry.isOrphan && entry.path.startsWith(prefix)).slice(0, maximalNodes);
  // Parents come before their children when paths are ordered by length.
  for (const entry of below.toSorted((left, right) => left.path.length - right.path.length)) {
    const parent = known.get(entry.path.slice(0, Math.max(entry.path.length - entry.name.length - 1, 0)));
    if (parent === undefined) continue;
    const content = entry.type === 'stream' ? file.read(entry) : null;
    const node: Node = { name: entry.name.slice(0, 31), clsid: entry.clsid, content, children: [] };
    parent.children.push(node);
    if (content === null) known.set(entry.path, node);
  }
  return root;
}

/** Names are ordered by length first, then by their capital letters. */
function byName(left: Node, right: Node): number {
  if (left.name.length !== right.name.length) return left.name.length - right.name.length;
  const [one, other] = [left.name.toUpperCase(), right.name.toUpperCase()];
  return one < other ? -1 : one > other ? 1 : 0;
}

interface Row {
  readonly node: Node;
  left: number;
  right: number;
  child: number;
  start: number;
}

function rowsOf(root: Node): Row[] {
  const rows: Row[] = [{ node: root, left: free, right: free, child: free, start: endOfChain }];
  const balance = (nodes: readonly Node[]): number => {
    if (nodes.length === 0) return free;
    const middle = nodes.length >> 1;
    const node = nodes[middle];
    if (node === undefined) return free;
    const row: Row = { node, left: free, right: free, child: free, start: endOfChain };
    const index = rows.push(row) - 1;
    row.left = balance(nodes.slice(0, middle));
    row.right = balance(nodes.slice(middle + 1));
    row.child = balance(node.children.toSorted(byName));
    return index;
  };
  const first = rows[0];
  if (first !== undefined) first.child = balance(root.children.toSorted(byName));
  return rows;
}

function padded(bytes: Uint8Array, unit: number): Buffer {
  const out = Buffer.alloc(Math.ceil(bytes.length / unit) * unit);
  out.set(bytes);
  return out;
}

function writeRow(row: Row, size: number): Buffer {
  const out = Buffer.alloc(128);
  const name = Buffer.from(row.node.name, 'utf16le');
  name.copy(out);
  out.writeUInt16LE(name.length + 2, 64);
  out[66] =
    row.start !== endOfChain && row.node.name === 'Root Entry' && row.node.content === null
      ? 5
      : row.node.content === null
        ? 1
        : 2;
  out[67] = 1;
  out.writeUInt32LE(row.left, 68);
  out.writeUInt32LE(row.right, 72);
  out.writeUInt32LE(row.child, 76);
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = row.node.clsid.split('-');
  const flip = (hex: string): Buffer => Buffer.from(hex, 'hex').reverse();
  Buffer.concat([flip(first), flip(second), flip(third), Buffer.from(fourth + fifth, 'hex')]).copy(out, 80);
  out.writeUInt32LE(row.start, 116);
  out.writeUInt32LE(size, 120);
  return out;
}

export interface StorageOptions {
  /** A storage of elsewhere that goes along into the new root. */
  readonly graft?: CompoundEntry | undefined;
  /** The content of a stream in the root, as it should be there. */
  readonly change?: (name: string, content: Uint8Array) => Uint8Array;
}

export function storageAsFile(file: CompoundFile, storage: CompoundEntry, options: StorageOptions = {}): Uint8Array {
  const { graft, change } = options;
  const tree = treeOf(file, storage);
  const children = tree.children.map((node) =>
    node.content === null || change === undefined ? node : { ...node, content: change(node.name, node.content) },
  );
  const grafted = graft === undefined ? [] : [{ ...treeOf(file, graft), name: graft.name }];
  const rows = rowsOf({ ...tree, children: [...children, ...grafted] });
  const sectors: Buffer[] = [];
  const fat: number[] = [];
  const place = (bytes: Buffer): number => {
    if (bytes.length === 0) return endOfChain;
    const start = fat.length;
    const count = bytes.length / sectorBytes;
    for (let index = 1; index <= count; index += 1) fat.push(index === count ? endOfChain : start + index);
    sectors.push(bytes);
    return start;
  };
  const minis: Buffer[] = [];
  const miniFat: number[] = [];
  for (const row of rows) {
    const content = row.node.content;
    if (content === null || content.length === 0) continue;
    if (content.length >= miniCutoff) {
      row.start = place(padded(content, sectorBytes));
      continue;
    }
    const bytes = padded(content, miniBytes);
    row.start = miniFat.length;
    const count = bytes.length / miniBytes;
    for (let index = 1; index <= count; index += 1) miniFat.push(index === count ? endOfChain : row.start + index);
    minis.push(bytes);
  }
  const mini = Buffer.concat(minis);
  const miniStart = place(padded(mini, sectorBytes));
  const table = (values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(Math.ceil((values.length * 4) / sectorBytes) * sectorBytes, 0xff);
    values.forEach((value, index) => void bytes.writeUInt32LE(value, index * 4));
    return bytes;
  };
  const miniTable = table(miniFat);
  const miniTableStart = place(miniTable);
  const root = rows[0];
  if (root !== undefined) root.start = miniStart;
  const directory = Buffer.concat(
    rows.map((row, index) => writeRow(row, index === 0 ? mini.length : (row.node.content?.length ?? 0))),
  );
  if (root !== undefined) directory[66] = 5;
  const directoryStart = place(padded(directory, sectorBytes));
  // The table lists its own sectors too, so its size is found by growing until it fits.
  let tableSectors = 1;
  while ((fat.length + tableSectors) * 4 > tableSectors * sectorBytes) tableSectors += 1;
  const tableStart = fat.length;
  for (let index = 0; index < tableSectors; index += 1) fat.push(0xfffffffd);
  const header = Buffer.alloc(sectorBytes, 0);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tableSectors, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(miniCutoff, 56);
  header.writeUInt32LE(miniTableStart, 60);
  header.writeUInt32LE(miniTable.length / sectorBytes, 64);
  header.writeUInt32LE(endOfChain, 68);
  for (let index = 0; index < 109; index += 1)
    header.writeUInt32LE(index < tableSectors ? tableStart + index : free, 76 + index * 4);
  return Buffer.concat([header, ...sectors, table(fat)]);
}

/** One table list in the header names this much at most; a larger storage is left where it is. */
export const largestStorageBytes = 6 * 1024 * 1024;

export function storageBytes(file: CompoundFile, storage: CompoundEntry): number {
  const prefix = `${storage.path}/`;
  return file.entries.filter(({ path }) => path.startsWith(prefix)).reduce((sum, { size }) => sum + size, 0);
}
