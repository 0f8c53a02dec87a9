/** What cannot be changed by whoever is handed it. */

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

/** A Map can be changed even when it is frozen; this has no way in. */
export function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map<K, V>();
  for (const [key, value] of entries) map.set(key, deepFreeze(value));
  const view: ReadonlyMap<K, V> = {
    size: map.size,
    get: (key) => map.get(key),
    has: (key) => map.has(key),
    forEach: (visit) => {
      for (const [key, value] of map) visit(value, key, view);
    },
    entries: () => map.entries(),
    keys: () => map.keys(),
    values: () => map.values(),
    [Symbol.iterator]: () => map.entries(),
  };
  return Object.freeze(view);
}
