import type { NetEvent } from '../event.ts';

/** Counts what a box tried in vain, from the record of its gate. */

export interface EgressAttempts {
  /** Connections, datagrams and names that were refused. */
  readonly blocked: number;
  /** Connections that no rule lists, and that were let through to be looked at. */
  readonly unlisted: number;
}

const noSuchName = 3;
/** One program asks for both families of addresses, and often twice: that is one attempt. */
const sameQuestionMs = 2000;
const mostNames = 1024;

export class AttemptCounter {
  readonly #names = new Map<string, number>();
  #blocked = 0;
  #unlisted = 0;

  get attempts(): EgressAttempts {
    return { blocked: this.#blocked, unlisted: this.#unlisted };
  }

  see({ kind, fields, at }: NetEvent): void {
    if (kind === 'egress-refused') this.#blocked += 1;
    if (kind === 'egress-allowed' && fields.isListed === false) this.#unlisted += 1;
    if (kind === 'dns-answer' && fields.code === noSuchName) this.#seeName(JSON.stringify(nameOf(fields)), at.wallMs);
  }

  #seeName(name: string, wallMs: number): void {
    const before = this.#names.get(name);
    this.#names.delete(name);
    this.#names.set(name, wallMs);
    if (before === undefined || wallMs - before > sameQuestionMs) this.#blocked += 1;
    const [oldest] = this.#names.keys();
    if (this.#names.size > mostNames && oldest !== undefined) this.#names.delete(oldest);
  }
}

function nameOf({ questions }: NetEvent['fields']): unknown {
  const [first] = Array.isArray(questions) ? questions : [];
  return typeof first === 'object' && first !== null && 'name' in first ? first.name : null;
}
