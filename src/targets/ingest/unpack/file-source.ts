import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const pieceBytes = 64 * 1024;

/** An open file for the reader of zip archives. The file belongs to the caller: no stream over it closes it. */
export class FileSource extends RandomAccessReader {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const handle = this.#handle;
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = start; at < end; ) {
        const piece = Buffer.alloc(Math.min(pieceBytes, end - at));
        const { bytesRead } = await handle.read(piece, 0, piece.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    }
    return Readable.from(pieces(), { objectMode: false, highWaterMark: pieceBytes });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (!Number.isSafeInteger(position) || length === 0) {
      queueMicrotask(() => callback(length === 0 ? null : new Error('a position outside the file')));
      return;
    }
    this.#handle.read(buffer, offset, length, position).then(
      ({ bytesRead }) => callback(bytesRead === length ? null : new Error('unexpected end of file')),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
