import { ledgerLimits } from './limits.ts';

/** Canonical text of the details of an entry. What is too long, too deep or no JSON is cut, and says so. */

interface Bounds {
  readonly textChars: number;
  readonly items: number;
  readonly values: number;
}

/** From roomy to tight: the first whose text fits is taken. */
const boundsInOrder: readonly Bounds[] = [
  { textChars: ledgerLimits.detailsTextChars, items: ledgerLimits.detailsItems, values: 4096 },
  { textChars: 256, items: 64, values: 512 },
  { textChars: 64, items: 16, values: 64 },
];

const mark = '…';

function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars)}${mark} (${text.length - chars} characters more)`.toWellFormed();
}

class Writer {
  readonly #bounds: Bounds;
  #values = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  write(value: unknown, depth: number): string {
    this.#values += 1;
    if (typeof value === 'string') return JSON.stringify(cutText(value, this.#bounds.textChars));
    if (typeof value === 'bigint') return JSON.stringify(cutText(String(value), this.#bounds.textChars));
    if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
    if (typeof value !== 'object' || value === null) return 'null';
    if (this.#values > this.#bounds.values) return JSON.stringify(`${mark} (too much)`);
    if (depth <= 0) return JSON.stringify(`${mark} (nested deeper)`);
    return Array.isArray(value) ? this.#writeArray(value, depth) : this.#writeObject(value, depth);
  }

  #writeArray(items: readonly unknown[], depth: number): string {
    const kept = items.slice(0, this.#bounds.items).map((item) => this.write(item, depth - 1));
    if (items.length > kept.length) kept.push(JSON.stringify(`${mark} (${items.length - kept.length} more)`));
    return `[${kept.join(',')}]`;
  }

  #writeObject(value: object, depth: number): string {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    const kept = new Map<string, unknown>();
    for (const [key, item] of entries.slice(0, this.#bounds.items)) kept.set(cutText(key, 256), item);
    if (entries.length > kept.size) kept.set(mark, `${entries.length - kept.size} more`);
    const parts = [...kept]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${this.write(item, depth - 1)}`);
    return `{${parts.join(',')}}`;
  }
}

export function writeDetails(details: object): string {
  for (const bounds of boundsInOrder) {
    const text = new Writer(bounds).write(details, ledgerLimits.detailsDepth);
    if (Buffer.byteLength(text) <= ledgerLimits.detailsBytes) return text;
  }
  return JSON.stringify({ [mark]: 'all of it is too long' });
}
