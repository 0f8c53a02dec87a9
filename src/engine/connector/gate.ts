/** Lets so many through at a time; the others wait in line, and leave it when they are told to. */
export class Gate {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** What it gives is called once, to leave. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (): void => {
        this.#line.splice(this.#line.indexOf(resolve), 1);
        reject(signal?.reason);
      };
      this.#line.push(resolve);
      signal?.addEventListener('abort', leave, { once: true });
      await promise.finally(() => signal?.removeEventListener('abort', leave));
    }
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const next = this.#line.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }
}
