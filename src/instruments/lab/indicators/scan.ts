import { limits } from './limits.ts';
import type { Refanged } from './refang.ts';
import type { IndicatorType } from './types.ts';

/** One text while it is searched: what is taken already, and where sightings go. */

export interface Sighting {
  readonly type: IndicatorType;
  readonly value: string;
  /** What makes two sightings the same; the value when it is not given. */
  readonly key?: string;
  readonly from: number;
  readonly to: number;
  readonly confidence: number;
  readonly noise?: string | undefined;
}

/** What a stretch of text has been read as: later readers do not read it as something smaller. */
export const claim = { free: 0, authority: 1, urlRest: 2, path: 3, address: 4, agent: 5, phrase: 6 } as const;
export type Claim = (typeof claim)[keyof typeof claim];

export interface ScanOptions {
  readonly includePrivateAddresses: boolean;
  readonly report: (sighting: Sighting, scan: Scan) => void;
  readonly tick: () => void;
}

export class Scan {
  readonly text: string;
  readonly source: string;
  readonly includePrivateAddresses: boolean;
  /** Candidates that were longer than anything real. */
  overlong = 0;
  /** Counted so that a test can tell how the work grows with the text. */
  steps = 0;
  #untilTick: number = limits.stepsPerTick;
  readonly #claims: Uint8Array;
  readonly #answers = new Map<string, Map<string, unknown>>();
  readonly #refanged: Refanged;
  readonly #options: ScanOptions;

  constructor(source: string, refanged: Refanged, options: ScanOptions) {
    this.source = source;
    this.text = refanged.text;
    this.includePrivateAddresses = options.includePrivateAddresses;
    this.#claims = new Uint8Array(refanged.text.length);
    this.#refanged = refanged;
    this.#options = options;
  }

  /** Works something out once for each key; hostile texts repeat themselves. */
  remember<Value>(question: string, key: string, answer: () => Value): Value {
    let answers = this.#answers.get(question);
    if (answers === undefined || answers.size >= limits.remembered) {
      answers = new Map();
      this.#answers.set(question, answers);
    }
    if (answers.has(key)) return answers.get(key) as Value;
    const value = answer();
    answers.set(key, value);
    return value;
  }

  step(count = 1): void {
    this.steps += count;
    this.#untilTick -= count;
    if (this.#untilTick > 0) return;
    this.#untilTick = limits.stepsPerTick;
    this.#options.tick();
  }

  claim(from: number, to: number, as: Claim): void {
    this.step(to - from);
    this.#claims.fill(as, from, to);
  }

  claimAt(index: number): Claim {
    return (this.#claims[index] ?? claim.free) as Claim;
  }

  report(sighting: Sighting): void {
    this.step(sighting.to - sighting.from);
    this.#options.report(sighting, this);
  }

  originalOf(from: number, to: number): string {
    return this.source.slice(this.#refanged.startOf(from), this.#refanged.endOf(to));
  }

  /** The line around, in the old text. */
  contextOf(from: number, to: number): string {
    const [start, end] = [this.#refanged.startOf(from), this.#refanged.endOf(to)];
    const room = Math.max(0, limits.contextLength - (end - start));
    const before = this.source.slice(Math.max(0, start - (room >> 1)), start);
    const after = this.source.slice(end, end + (room >> 1));
    const line =
      before.slice(lastBreak(before) + 1) + this.source.slice(start, end) + after.slice(0, firstBreak(after));
    return line.slice(0, limits.contextLength).trim();
  }

  /** What stands before on the same line, in small letters. */
  before(index: number, length: number = limits.surroundings): string {
    this.step(length);
    const piece = this.text.slice(Math.max(0, index - length), index);
    return piece.slice(lastBreak(piece) + 1).toLowerCase();
  }

  after(index: number, length: number = limits.surroundings): string {
    this.step(length);
    const piece = this.text.slice(index, index + length);
    return piece.slice(0, firstBreak(piece)).toLowerCase();
  }
}

function lastBreak(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), text.lastIndexOf('\0'));
}

function firstBreak(text: string): number {
  const at = text.search(/[\n\r\0]/);
  return at === -1 ? text.length : at;
}
