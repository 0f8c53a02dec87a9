/** What the API is about. Nothing a request does changes it. */
export interface Item {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
}

export const items: readonly Item[] = [
  { id: 1, name: 'anvil', quantity: 3 },
  { id: 2, name: 'bellows', quantity: 5 },
  { id: 3, name: 'crucible', quantity: 7 },
];

/**
 * Those whose names have the text, or all when none has. The words are short and what is asked for hardly matters: arjun
 * takes longer words of an answer for parameters, and gives up when several parameters matter at once.
 */
export function findItems(wanted: string): { readonly hits: number; readonly ids: readonly number[] } {
  const named = items.filter(({ name }) => name.includes(wanted));
  const ids = (named.length === 0 ? items : named).map(({ id }) => id);
  return { hits: ids.length, ids };
}

export const users = [
  { id: 1, name: 'ada', email: 'ada@weak.example' },
  { id: 2, name: 'grace', email: 'grace@weak.example' },
] as const;

/** More than the document promises. */
export const usersWithExcess = users.map((user) => ({
  ...user,
  password_hash: `hotcell-planted-hash-${user.id}`,
  is_admin: user.id === 1,
}));
