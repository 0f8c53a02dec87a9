/** Something a policy asks for and a backend cannot express. Returned as data, never dropped silently. */
export interface Gap {
  /** Stable name, such as `cpu-share` or `network-by-name`. */
  readonly id: string;
  /** Where in the policy the wish stands, such as `network.rules[2]`. */
  readonly path: string;
  /** What does not hold, in one sentence. */
  readonly what: string;
  /** What happens instead: `closed` is stricter than asked, `open` is weaker than asked. */
  readonly effect: 'closed' | 'open';
}

export interface Compiled<T> {
  readonly value: T;
  readonly gaps: readonly Gap[];
}
