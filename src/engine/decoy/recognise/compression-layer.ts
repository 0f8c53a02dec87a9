import type { Budget } from './budget.ts';
import { type CompressionKind, compressionKinds, tasteBytes } from './compression-kinds.ts';
import type { Layer, PlaceRegion, ScannerPlace, Sink } from './scanner.ts';

/** What a try costs before anything comes out. */
const tryBytes = 64;

/** One compressed region while it arrives. It is tried at once, and again whenever twice as much has come. */
class Region {
  readonly #kind: CompressionKind;
  readonly #budget: Budget;
  readonly #open: () => Sink;
  #sink: Sink | null = null;
  readonly #parts: Buffer[] = [];
  #size = 0;
  #triedAt = 0;
  poured = 0;
  isOpen = true;

  constructor(kind: CompressionKind, budget: Budget, open: () => Sink) {
    this.#kind = kind;
    this.#budget = budget;
    this.#open = open;
  }

  add(bytes: Buffer): void {
    const room = this.#budget.limits.compressedBytes - this.#size;
    const part = bytes.subarray(0, room);
    this.#size += part.length;
    const isFull = this.#size >= this.#budget.limits.compressedBytes;
    if (this.#triedAt === 0) this.#try(part);
    // Only what goes on has to be kept.
    if (this.isOpen) this.#parts.push(Buffer.from(part));
    if (this.isOpen && (isFull || this.#size >= this.#triedAt * 2)) this.#try(Buffer.concat(this.#parts));
    if (this.isOpen && isFull) {
      this.#budget.cuts.cutRegions += 1;
      this.#close();
    }
  }

  /** Is charged for what it costs even if nothing comes of it, so that a thousand false marks cost no more than one. */
  #try(input: Buffer): void {
    this.#triedAt = this.#size;
    const cap = Math.min(this.#budget.limits.inflatedBytes, this.#budget.remaining);
    const { output, state, workBytes } = this.#kind.decompress(input, cap);
    this.#budget.charge(workBytes + tryBytes);
    if (output.length > this.poured) this.#pour(output.subarray(this.poured));
    this.poured = Math.max(this.poured, output.length);
    if (state === 'cut') this.#budget.cuts.cutRegions += 1;
    if (state !== 'open') this.#close();
  }

  #pour(fresh: Buffer): void {
    this.#sink ??= this.#open();
    this.#sink.feed(fresh);
  }

  #close(): void {
    this.#sink?.end();
    this.#parts.length = 0;
    this.isOpen = false;
  }

  end(): void {
    if (this.isOpen && this.#size > this.#triedAt) this.#try(Buffer.concat(this.#parts));
    if (this.isOpen) this.#close();
  }
}

/** Follows compressed regions: from where their mark stands, or, without a mark, from where something begins. */
export class CompressionLayer implements Layer {
  readonly #budget: Budget;
  readonly #place: PlaceRegion;
  /** Only the stream itself consists of messages; in a decoded region only its very beginning counts. */
  readonly #isStream: boolean;
  #mayGuess: boolean;
  readonly #marked: Region[] = [];
  readonly #guessed: Region[] = [];
  /** Beginnings with too few bytes yet to tell, as distances from the end of what has been seen. */
  #untold: readonly number[] = [];

  constructor(scanner: ScannerPlace, budget: Budget, place: PlaceRegion) {
    this.#budget = budget;
    this.#place = place;
    this.#isStream = scanner.origin === null;
    this.#mayGuess = scanner.start === 'known';
  }

  feed(bytes: Buffer, from: number): void {
    for (const regions of [this.#marked, this.#guessed]) this.#follow(regions, bytes.subarray(from));
    for (const kind of compressionKinds) {
      if (kind.mark === null) continue;
      // A mark may have begun in the piece before.
      let at = kind.mark(bytes, Math.max(0, from - kind.markBytes + 1));
      while (at !== -1) {
        this.#begin(this.#marked, kind, bytes, at);
        at = kind.mark(bytes, at + 1);
      }
    }
    this.#guess(bytes, from);
  }

  #follow(regions: Region[], fresh: Buffer): void {
    for (const region of regions) region.add(fresh);
    const open = regions.filter(({ isOpen }) => isOpen);
    regions.splice(0, regions.length, ...open);
  }

  #guess(bytes: Buffer, from: number): void {
    const starts = this.#untold.map((distance) => from - distance);
    if (this.#mayGuess) starts.push(from, ...(this.#isStream ? bodiesIn(bytes, from) : []));
    this.#mayGuess = this.#isStream;
    const untold: number[] = [];
    for (const start of starts) {
      const available = bytes.length - start;
      const isText = isPrintable(bytes, start);
      if (!isText && available >= shortestGuessBytes) this.#tryUnmarked(bytes, start);
      else if (available < tasteBytes) untold.push(available);
    }
    this.#untold = untold;
  }

  #tryUnmarked(bytes: Buffer, start: number): void {
    for (const kind of compressionKinds)
      if (kind.mark === null && this.#budget.guess()) this.#begin(this.#guessed, kind, bytes, start);
  }

  #begin(regions: Region[], kind: CompressionKind, bytes: Buffer, at: number): void {
    const open = this.#place(at);
    const region = new Region(kind, this.#budget, () => open(kind.encoding, 'known'));
    region.add(bytes.subarray(at));
    if (!region.isOpen) return;
    regions.push(region);
    if (regions.length <= this.#budget.limits.openRegions) return;
    // The one that has brought least goes, the newest of those; that it may have gone on is counted.
    const least = Math.min(...regions.map(({ poured }) => poured));
    const [gone] = regions.splice(
      regions.findLastIndex(({ poured }) => poured === least),
      1,
    );
    gone?.end();
    this.#budget.cuts.cutRegions += 1;
  }

  end(): void {
    for (const region of [...this.#marked, ...this.#guessed]) region.end();
  }
}

/** Less cannot hold a needle. */
const shortestGuessBytes = 16;

const blankLine = Buffer.from('\r\n\r\n');

/** Where the body of a message with headers begins. */
function bodiesIn(bytes: Buffer, from: number): readonly number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(blankLine, Math.max(0, from - 3)); at !== -1; at = bytes.indexOf(blankLine, at + 1))
    if (at + blankLine.length >= from && at + blankLine.length < bytes.length) starts.push(at + blankLine.length);
  return starts;
}

/** Nothing compressed goes on in printable characters alone. */
function isPrintable(bytes: Buffer, from: number): boolean {
  for (let at = from; at < Math.min(bytes.length, from + tasteBytes); at += 1) {
    const byte = bytes[at] as number;
    if ((byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) || byte >= 0x7f) return false;
  }
  return true;
}
