/** Goes off when nothing has happened for a while, unless it is told to wait for something of our own. */

/** More than a timer can take is as good as never. */
const longest = 2 ** 31 - 1;

export class IdleClock {
  readonly #timer: NodeJS.Timeout;
  #isHeld = false;

  constructor(idleMs: number, goOff: () => void) {
    this.#timer = setTimeout(
      () => {
        if (this.#isHeld) this.#timer.refresh();
        else goOff();
      },
      Math.min(idleMs, longest),
    );
  }

  touch(): void {
    this.#timer.refresh();
  }

  async during<Result>(wait: Promise<Result>): Promise<Result> {
    this.#isHeld = true;
    try {
      return await wait;
    } finally {
      this.#isHeld = false;
      this.touch();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
