import { realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { openRegularFile } from '../../../base/regular-file.ts';
import { runsFolder } from '../runs/run-folder.ts';
import { outputsFolder } from '../spill.ts';

/** A piece of one of our own files. A caller says the path: it may lead nowhere else, not even through a link. */

export interface Piece {
  readonly path: string;
  readonly bytes: Buffer;
  readonly totalBytes: number;
  readonly nextOffset: number | null;
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder + sep);
}

async function findOwn(home: string, given: string): Promise<string> {
  const refused = (why: string, cause?: unknown): UsageError =>
    new UsageError(`path ${JSON.stringify(given.slice(0, 200))}: ${why}`, {
      cause,
      hint: 'only files in the folders outputs and runs of Hotcell can be read; an answer that was cut tells the path',
    });
  if (given.includes('\0')) throw refused('a path has no NUL');
  const path = resolve(home, given);
  const folder = [outputsFolder(home), runsFolder(home)]
    .map((each) => resolve(each))
    .find((each) => isInside(path, each));
  if (folder === undefined) throw refused('it is not a file of Hotcell');
  try {
    // The home itself may be reached through a link; nothing below it may.
    const real = join(await realpath(folder), path.slice(folder.length));
    if ((await realpath(path)) !== real) throw refused('it leads through a link');
  } catch (cause) {
    throw cause instanceof UsageError ? cause : refused(describeError(cause), cause);
  }
  return path;
}

/** Where the last whole character before the end of the piece ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back && bytes.length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

export async function readPiece(home: string, given: string, offset: number, most: number): Promise<Piece> {
  const path = await findOwn(home, given);
  await using file = await openRegularFile(path, { links: 'refused' }).catch((cause) => {
    throw new UsageError(`path ${JSON.stringify(given.slice(0, 200))}: ${describeError(cause)}`, { cause });
  });
  const status = await file.stat();
  const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, offset);
  const read = buffer.subarray(0, bytesRead);
  const isEnd = offset + bytesRead >= status.size;
  const bytes = isEnd ? read : read.subarray(0, wholeCharacters(read));
  const next = offset + bytes.length;
  return { path, bytes, totalBytes: status.size, nextOffset: isEnd || bytes.length === 0 ? null : next };
}
