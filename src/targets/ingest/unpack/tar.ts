import type { ByteReader } from './byte-reader.ts';
import type { UnpackLimits } from './contract.ts';
import type { IssueList } from './issue-list.ts';
import type { Meter } from './meter.ts';
import { readPax } from './pax.ts';
import type { Place } from './place.ts';
import { blockBytes, isZeroBlock, readTarHeader, type TarHeader } from './tar-header.ts';

/** What headers before an entry say about it. */
interface Extended {
  name?: Uint8Array;
  link?: Uint8Array;
  size?: number;
  isSparse: boolean;
}

export interface TarWork {
  readonly reader: ByteReader;
  readonly place: Place;
  readonly issues: IssueList;
  readonly meter: Meter;
  readonly limits: UnpackLimits;
}

const fileTypes = new Set(['0', '\0', '7']);
const specialTypes = new Set(['3', '4', '6']);
const linkTypes: Readonly<Record<string, boolean>> = { '1': true, '2': false };
const mostBrokenBlocks = 10_000;
const trailingLookBytes = 64 * 1024;

/** The body of one entry: what nobody took is passed over, so that the next header is found. */
class Body {
  readonly #work: TarWork;
  #remaining: number;
  readonly #padding: number;

  constructor(work: TarWork, size: number) {
    this.#work = work;
    this.#remaining = size;
    this.#padding = (blockBytes - (size % blockBytes)) % blockBytes;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    while (this.#remaining > 0) {
      const piece = await this.#work.reader.some(this.#remaining);
      if (piece === undefined) this.#work.issues.stop('truncated', '', 'the archive ends inside an entry');
      this.#remaining -= piece.length;
      yield piece;
    }
  }

  async skip(): Promise<void> {
    this.#remaining += this.#padding;
    for await (const _ of this.chunks());
  }
}

async function readSmallBody(work: TarWork, header: TarHeader): Promise<Uint8Array | undefined> {
  const body = new Body(work, header.size);
  if (header.size > work.limits.maxHeaderBytes) {
    work.issues.add('odd-header', header.name, `an extended header of more than ${work.limits.maxHeaderBytes} bytes`);
    await body.skip();
    return undefined;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of body.chunks()) pieces.push(piece);
  await body.skip();
  return Buffer.concat(pieces);
}

function withoutEnd(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

function applyPax(bytes: Uint8Array, extended: Extended, header: TarHeader, { issues }: TarWork): void {
  const { values, problem } = readPax(bytes);
  if (problem !== undefined) issues.add('odd-header', header.name, `an extended header is wrong: ${problem}`);
  const [name, link, size] = ['path', 'linkpath', 'size'].map((key) => values.get(key));
  if (name !== undefined) extended.name = name;
  if (link !== undefined) extended.link = link;
  if ([...values.keys()].some((key) => key.startsWith('GNU.sparse.'))) extended.isSparse = true;
  if (size === undefined) return;
  const text = Buffer.from(size).toString('latin1');
  if (/^\d{1,15}$/.test(text)) extended.size = Number(text);
  else issues.add('odd-header', header.name, 'an extended header gives a size that is no number');
}

/** True when the header only says something about the next entry. */
async function readExtension(work: TarWork, header: TarHeader, extended: Extended): Promise<boolean> {
  if (!'LKNxg'.includes(header.type)) return false;
  const bytes = await readSmallBody(work, header);
  if (bytes === undefined) return true;
  if (header.type === 'L' || header.type === 'N') extended.name = withoutEnd(bytes);
  else if (header.type === 'K') extended.link = withoutEnd(bytes);
  else if (header.type === 'x') applyPax(bytes, extended, header, work);
  else if (['path', 'linkpath', 'size'].some((key) => readPax(bytes).values.has(key))) {
    work.issues.add('odd-header', header.name, 'a global header names a path or a size; it is not applied');
  }
  return true;
}

async function readEntry(work: TarWork, header: TarHeader, extended: Extended): Promise<void> {
  const { place, issues } = work;
  const name = extended.name ?? header.name;
  const size = extended.size ?? header.size;
  const mode = Number.isNaN(header.mode) ? 0o644 : header.mode;
  const facts = { name, mode };
  work.meter.countEntry(name);
  const isHard = linkTypes[header.type];
  const isFolder = header.type === '5' || (fileTypes.has(header.type) && name.at(-1) === 0x2f);
  if (isHard !== undefined || header.type === '5' || specialTypes.has(header.type)) {
    // Programs differ on whether these have a body; its blocks are read as headers then, so nothing is hidden in it.
    if (size > 0) issues.add('size-differs', name, 'an entry that has no content says that it has');
    if (header.type === '5') await place.addFolder(facts);
    else if (isHard === undefined) issues.add('special-file', name, 'a device or a pipe is not made');
    else place.addLink(facts, extended.link ?? header.link, isHard);
    return;
  }
  const body = new Body(work, size);
  if (header.type === 'S' || extended.isSparse) {
    issues.add('unsupported-entry', name, 'a sparse file is not unpacked');
  } else if (isFolder) await place.addFolder(facts);
  else if (fileTypes.has(header.type)) await place.addFile(facts, () => body.chunks());
  else issues.add('unsupported-entry', name, 'an entry of a kind that is not known');
  await body.skip();
}

async function lookBehindEnd({ reader, issues }: TarWork): Promise<void> {
  const rest = await reader.exactly(trailingLookBytes);
  if (!isZeroBlock(rest)) issues.add('trailing-data', '', 'there is data behind the end of the archive');
}

export async function unpackTar(work: TarWork): Promise<void> {
  const { reader, issues } = work;
  let extended: Extended = { isSparse: false };
  let zeroBlocks = 0;
  let brokenBlocks = 0;
  let hasEntry = false;
  for (;;) {
    const block = await reader.exactly(blockBytes);
    if (block.length === 0) break;
    if (block.length < blockBytes) issues.stop('truncated', '', 'the archive ends inside a header');
    if (isZeroBlock(block)) {
      zeroBlocks += 1;
      if (zeroBlocks < 2) continue;
      await lookBehindEnd(work);
      break;
    }
    zeroBlocks = 0;
    const header = readTarHeader(block);
    if (header === undefined || Number.isNaN(header.size)) {
      // What others pass over to find the next header is passed over here too.
      brokenBlocks += 1;
      if (brokenBlocks === 1) {
        issues.add('broken-header', header?.name ?? '', 'a header is wrong; the next right one counts');
      }
      if (brokenBlocks > mostBrokenBlocks) issues.stop('broken', '', `more than ${mostBrokenBlocks} wrong headers`);
      continue;
    }
    hasEntry = true;
    if (await readExtension(work, header, extended)) continue;
    await readEntry(work, header, extended);
    extended = { isSparse: false };
  }
  if (!hasEntry) issues.add('broken', '', 'no entry was found');
}
