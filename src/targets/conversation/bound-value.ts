/** JSON from a server, cut to a size that can be kept: in depth, in number of values, and in length of text. */

export interface ValueBounds {
  readonly depth: number;
  readonly values: number;
  readonly characters: number;
}

export const answerBounds: ValueBounds = { depth: 64, values: 100_000, characters: 1024 * 1024 };

interface Left {
  values: number;
  characters: number;
}

const cutMark = '[cut]';

function boundText(text: string, left: Left): string {
  const kept = text.slice(0, Math.max(0, left.characters));
  left.characters -= kept.length;
  return kept.length === text.length ? text : `${kept}${cutMark}`;
}

function bound(value: unknown, depth: number, left: Left): unknown {
  left.values -= 1;
  if (typeof value === 'string') return boundText(value, left);
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0 || left.values <= 0) return cutMark;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (left.values <= 0) {
        items.push(cutMark);
        break;
      }
      items.push(bound(item, depth - 1, left));
    }
    return items;
  }
  const entries: [string, unknown][] = [];
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (left.values <= 0) {
      entries.push([cutMark, true]);
      break;
    }
    entries.push([boundText(key, left), bound((value as Record<string, unknown>)[key], depth - 1, left)]);
  }
  // Makes own properties of all names, `__proto__` too.
  return Object.fromEntries(entries);
}

export function boundValue(value: unknown, bounds: ValueBounds = answerBounds): unknown {
  return bound(value, bounds.depth, { values: bounds.values, characters: bounds.characters });
}

/** As JSON, whatever it is and however deep. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(boundValue(value)) ?? '';
  } catch {
    return '';
  }
}
