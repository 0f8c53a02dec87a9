/** Collects one line of a request, byte by byte, so that it makes no difference how the bytes arrive. */

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const tab = 0x09;

export type LineStep =
  | { readonly is: 'more' }
  /** Without its end; a copy. `taken` is how many of the given bytes belong to it. */
  | { readonly is: 'line'; readonly text: string; readonly taken: number }
  | { readonly is: 'refused'; readonly because: string };

export class LineBuffer {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;
  #isAfterReturn = false;

  /** `most` counts the bytes of the line without its end. */
  take(input: Buffer, most: number): LineStep {
    for (let at = 0; at < input.length; at += 1) {
      const byte = input[at] ?? 0;
      if (this.#isAfterReturn) {
        if (byte !== lineFeed) return { is: 'refused', because: 'a carriage return without a line feed' };
        const text = this.#bytes.toString('latin1', 0, this.#length);
        this.#length = 0;
        this.#isAfterReturn = false;
        return { is: 'line', text, taken: at + 1 };
      }
      if (byte === carriageReturn) {
        this.#isAfterReturn = true;
        continue;
      }
      if (byte === lineFeed) return { is: 'refused', because: 'a line feed without a carriage return' };
      if ((byte < 0x20 && byte !== tab) || byte === 0x7f) return { is: 'refused', because: 'a control character' };
      if (this.#length >= most) return { is: 'refused', because: 'a line or a head that is too long' };
      this.#add(byte);
    }
    return { is: 'more' };
  }

  get isEmpty(): boolean {
    return this.#length === 0 && !this.#isAfterReturn;
  }

  #add(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}
