import { StringDecoder } from 'node:string_decoder';

/** What one stream brought: the first bytes up to a cap, and how many there were beyond it. */
export interface Gatherer {
  take(chunk: Buffer): void;
  end(): void;
  kept(): Buffer;
  readonly droppedBytes: number;
}

export function gather(capBytes: number, onText: (text: string) => void): Gatherer {
  const chunks: Buffer[] = [];
  // Holds back the beginning of a character until the rest of it is there.
  const decoder = new StringDecoder('utf8');
  let size = 0;
  let dropped = 0;
  return {
    take(chunk) {
      const kept = chunk.subarray(0, Math.max(0, capBytes - size));
      if (kept.length > 0) {
        // A copy: the chunk may be a window into a buffer many times its size.
        chunks.push(kept.length * 2 < kept.buffer.byteLength ? Buffer.from(kept) : kept);
        size += kept.length;
        const text = decoder.write(kept);
        if (text !== '') onText(text);
      }
      dropped += chunk.length - kept.length;
    },
    end() {
      // With a cut in the middle of a character the rest of it is among the dropped bytes.
      const text = dropped > 0 ? '' : decoder.end();
      if (text !== '') onText(text);
    },
    kept: () => Buffer.concat(chunks),
    get droppedBytes() {
      return dropped;
    },
  };
}
