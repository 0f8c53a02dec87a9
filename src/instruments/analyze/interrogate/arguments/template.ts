/**
 * Texts with holes, `[[name]]`, filled from a record. The brackets are rare in every language that payloads are written
 * in. A text whose hole has no filling is null: it says something that this world cannot make true.
 */

const hole = /\[\[([A-Za-z][\w:-]*)\]\]/g;

export type Names = Readonly<Record<string, string>>;

export function fillText(text: string, names: Names): string | null {
  let isWhole = true;
  const filled = text.replace(hole, (_, name: string) => {
    if (Object.hasOwn(names, name)) return names[name] ?? '';
    isWhole = false;
    return '';
  });
  return isWhole ? filled : null;
}

/** Every text inside a JSON value, keys too. Undefined when one of them stays open. */
export function fillValue(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return fillText(value, names) ?? undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => fillValue(item, names));
    return items.includes(undefined) ? undefined : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const filled: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const name = fillText(key, names);
    const content = fillValue(item, names);
    if (name === null || content === undefined) return undefined;
    filled.push([name, content]);
  }
  return recordOf(filled);
}

/** `__proto__` stays a key of its own, as it does in JSON that somebody else sends. */
export function recordOf(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return record;
}
