import type { CallResult, Conversation } from '../../../../targets/conversation/contract.ts';

/** The line to a server that may hang up: it is called again, a few times. */

const mostReopened = 4;

export class Line {
  readonly #reopen: () => Promise<Conversation | null>;
  #conversation: Conversation;
  #reopened = 0;
  #isDead = false;
  calls = 0;

  constructor(conversation: Conversation, reopen: () => Promise<Conversation | null>) {
    this.#conversation = conversation;
    this.#reopen = reopen;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Nobody is there, and nobody will be. */
  get isDead(): boolean {
    return this.#isDead;
  }

  async call(
    tool: string,
    input: unknown,
    timeoutMs: number,
  ): Promise<{ readonly result: CallResult; readonly wentAway: boolean }> {
    this.calls += 1;
    const result = await this.#conversation.call(tool, input, timeoutMs);
    if (result.outcome !== 'gone') return { result, wentAway: false };
    await this.#again();
    return { result, wentAway: true };
  }

  async #again(): Promise<void> {
    const next = this.#reopened < mostReopened ? await this.#reopen().catch(() => null) : null;
    this.#reopened += 1;
    if (next === null) this.#isDead = true;
    else this.#conversation = next;
  }
}
