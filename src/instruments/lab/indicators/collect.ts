import { limits } from './limits.ts';
import type { Scan, Sighting } from './scan.ts';
import { type Indicator, type IndicatorType, indicatorTypes } from './types.ts';

interface Kept {
  type: IndicatorType;
  value: string;
  original: string;
  confidence: number;
  count: number;
  sources: string[];
  context: string;
  noise: string | undefined;
}

/** Puts the sightings of all texts together: one entry for each value, with the best that was seen of it. */
export class Collector {
  readonly #kept = new Map<IndicatorType, Map<string, Kept>>();
  readonly #dropped = new Map<IndicatorType, number>();
  readonly #own: ReadonlySet<string>;
  readonly #types: ReadonlySet<IndicatorType> | undefined;
  #label = '';

  constructor(ownHashes: readonly string[], types: readonly IndicatorType[] | undefined) {
    this.#own = new Set(ownHashes.map((hash) => hash.toLowerCase()));
    this.#types = types && new Set(types);
  }

  begin(label: string): void {
    this.#label = label;
  }

  add(sighting: Sighting, scan: Scan): void {
    const { type, value, from, to, confidence, noise } = sighting;
    if (this.#types !== undefined && !this.#types.has(type)) return;
    if (this.#own.size > 0 && this.#own.has(value.toLowerCase())) return;
    let values = this.#kept.get(type);
    if (values === undefined) {
      values = new Map();
      this.#kept.set(type, values);
    }
    const key = sighting.key ?? value;
    const known = values.get(key);
    if (known === undefined) {
      if (values.size >= limits.valuesPerType) {
        this.#dropped.set(type, (this.#dropped.get(type) ?? 0) + 1);
        return;
      }
      values.set(key, {
        type,
        value,
        original: scan.originalOf(from, to),
        confidence,
        count: 1,
        sources: [this.#label],
        context: scan.contextOf(from, to),
        noise,
      });
      return;
    }
    known.count += 1;
    if (known.sources.length < limits.sources && !known.sources.includes(this.#label)) known.sources.push(this.#label);
    // One place where it is no noise is enough.
    if (noise === undefined && known.noise !== undefined) {
      known.noise = undefined;
      known.confidence = confidence;
      known.original = scan.originalOf(from, to);
      known.context = scan.contextOf(from, to);
    } else if ((noise === undefined) === (known.noise === undefined))
      known.confidence = Math.max(known.confidence, confidence);
  }

  droppedOf(type: IndicatorType): number {
    return this.#dropped.get(type) ?? 0;
  }

  /** The surest first; the order of appearance among equals. */
  listOf(type: IndicatorType): readonly Indicator[] {
    return [...(this.#kept.get(type)?.values() ?? [])]
      .map(
        ({ original, noise, ...rest }): Indicator => ({
          ...rest,
          ...(original === rest.value ? {} : { original }),
          ...(noise === undefined ? {} : { noise }),
        }),
      )
      .toSorted((left, right) => right.confidence - left.confidence);
  }

  types(): readonly IndicatorType[] {
    return indicatorTypes.filter((type) => this.#kept.has(type));
  }
}
