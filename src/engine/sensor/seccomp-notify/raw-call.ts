import { isAscii } from 'node:buffer';
import type { UntrustedJson } from '../../../base/event-schema.ts';
import { bytesField, caps } from '../fields.ts';
import type { Piece, RecordReader } from './record.ts';

/** A call as it was written down, with a list of the fields that are not complete. */

const slash = 0x2f;
const dot = 0x2e;

/** A relative path below its folder, as bytes. Nothing but a leading `./` is taken out: links change what `..` means. */
export function joinPath(folder: Uint8Array, path: Uint8Array): Buffer {
  let start = 0;
  while (path[start] === dot && path[start + 1] === slash) {
    start += 2;
    while (path[start] === slash) start += 1;
  }
  const isRoot = folder.length === 1 && folder[0] === slash;
  return Buffer.concat([folder, ...(isRoot ? [] : [Buffer.from('/')]), path.subarray(start)]);
}

export class RawCall {
  readonly #record: RecordReader;
  #cut: string[] = [];

  constructor(record: RecordReader) {
    this.#record = record;
  }

  get cut(): readonly string[] {
    return this.#cut;
  }

  int(at: number): number {
    return this.#record.int(at);
  }

  piece(at: number): Piece | null {
    return this.#record.piece(at);
  }

  bytes(at: number, field: string): Buffer {
    const piece = this.#record.piece(at);
    if (piece === null || piece.isCut) this.#mark(field);
    return piece?.bytes ?? Buffer.alloc(0);
  }

  /** All pieces from one on. An absent one stands for those that were left out. */
  list(from: number, field: string): Buffer[] {
    const list: Buffer[] = [];
    for (let at = from; at < this.#record.pieceCount; at += 1) {
      const piece = this.#record.piece(at);
      if (piece === null || piece.isCut) this.#mark(field);
      if (piece !== null) list.push(piece.bytes);
    }
    return list;
  }

  /** A path and the folder that it is relative to, as one. */
  pathBytes(at: number, field: string): Buffer {
    const path = this.bytes(at, field);
    const folder = this.#record.piece(at + 1);
    if (folder === null) return path;
    return path.length === 0 ? folder.bytes : joinPath(folder.bytes, path);
  }

  path(at: number, field: string): UntrustedJson {
    const bytes = this.pathBytes(at, field);
    if (bytes.length > caps.path) this.#mark(field);
    // The same as below, in a tenth of the time, for almost all of them.
    else if (isAscii(bytes)) return { text: bytes.toString('latin1') };
    return bytesField(bytes);
  }

  #mark(field: string): void {
    if (!this.#cut.includes(field)) this.#cut = [...this.#cut, field];
  }
}
