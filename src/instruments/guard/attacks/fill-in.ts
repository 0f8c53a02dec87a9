/** Puts the values of one replay in the place of the names that the list of attacks uses. */

export interface Values {
  readonly world: string;
  readonly token: string;
  readonly honest: string;
}

/** Far enough up from wherever a server keeps its files. */
const up = '../'.repeat(24).slice(0, -1);

export function fillIn(text: string, { world, token, honest }: Values): string {
  return text
    .replaceAll('{world}', world)
    .replaceAll('{token}', token)
    .replaceAll('{honest}', honest)
    .replaceAll('{up}', up);
}

export function fillInAll<T>(value: T, values: Values): T {
  if (typeof value === 'string') return fillIn(value, values) as T;
  if (Array.isArray(value)) return value.map((each) => fillInAll(each, values)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillInAll(each, values)])) as T;
}
