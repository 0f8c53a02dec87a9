import type { HostError } from './errors.ts';

/** The answer to a question about the machine or a target. Absence of data is never "no". */
export type Outcome<T> =
  | { readonly is: 'yes'; readonly value: T }
  | { readonly is: 'no' }
  | { readonly is: 'not-available'; readonly because: string; readonly mend?: string }
  | { readonly is: 'not-applicable' }
  | { readonly is: 'error'; readonly error: HostError };

export function yes<T>(value: T): Outcome<T> {
  return { is: 'yes', value };
}

export function notAvailable(because: string, mend?: string): Outcome<never> {
  return mend === undefined ? { is: 'not-available', because } : { is: 'not-available', because, mend };
}
