/** Takes exact pieces from a stream of chunks, holding no more than one chunk and one piece. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #onChunk: (bytes: number) => void;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>, onChunk: (bytes: number) => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onChunk = onChunk;
  }

  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) return false;
      this.#onChunk(next.value.length);
      this.#chunk = next.value;
    }
    return true;
  }

  /** The next bytes, at most this many; nothing at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    if (!(await this.#fill())) return undefined;
    const piece = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(piece.length);
    return piece;
  }

  /** Exactly this many bytes, or fewer at the end. */
  async exactly(length: number): Promise<Uint8Array> {
    const first = await this.some(length);
    if (first === undefined || first.length === length) return first ?? new Uint8Array(0);
    const pieces = [first];
    for (let size = first.length; size < length; ) {
      const piece = await this.some(length - size);
      if (piece === undefined) break;
      pieces.push(piece);
      size += piece.length;
    }
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
