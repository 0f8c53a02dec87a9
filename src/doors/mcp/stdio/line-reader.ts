/** Lines out of chunks, each with a cap. What is too long is dropped up to its end, and told. */

export type Line = { readonly text: string } | { readonly tooLongBytes: number };

const newLine = 0x0a;

export class LineReader {
  readonly #mostBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  take(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newLine); at !== -1; at = chunk.indexOf(newLine, from)) {
      this.#keep(chunk.subarray(from, at));
      lines.push(this.#finish());
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#mostBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finish(): Line {
    const [parts, bytes] = [this.#parts, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes > this.#mostBytes) return { tooLongBytes: bytes };
    // Decoded as a whole: a character that two chunks share stays one.
    return { text: Buffer.concat(parts).toString('utf8').replace(/\r$/, '') };
  }
}
