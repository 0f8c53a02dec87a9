/**
 * Resolves after so long without an answer. In two steps: a loop that was busy all the while hears its timers before the
 * messages that came meanwhile, and would take an answer that is there for one that is missing.
 */
const readingMs = 1000;

export interface Late {
  readonly promise: Promise<'late'>;
  clear(): void;
}

export function late(milliseconds: number): Late {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => resolve('late'), readingMs).unref();
  }, milliseconds).unref();
  return { promise, clear: () => clearTimeout(timer) };
}
