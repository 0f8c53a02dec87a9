import type { AuditAnswer } from '../contract.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import type { Forgery } from './forgeries.ts';
import type { JwtRule } from './rules.ts';

/** How the server answers with a token and without one; a claim needs a difference between the two. */

export interface Carrier {
  readonly header: string;
  readonly prefix: string;
}

export class Comparison {
  readonly #inquiry: Inquiry<JwtRule>;
  readonly #carrier: Carrier;
  readonly #accepted: number;
  readonly #refused: number;

  constructor(
    inquiry: Inquiry<JwtRule>,
    carrier: Carrier,
    statuses: { readonly accepted: number; readonly refused: number },
  ) {
    this.#inquiry = inquiry;
    this.#carrier = carrier;
    this.#accepted = statuses.accepted;
    this.#refused = statuses.refused;
  }

  /** Null where the server makes no difference, which is then said. */
  static async open(inquiry: Inquiry<JwtRule>, carrier: Carrier, token: string): Promise<Comparison | null> {
    const withToken = await ask(inquiry, carrier, token);
    const without = await ask(inquiry, carrier, null);
    if (withToken === null || without === null) return null;
    inquiry.fact('answers', { with_token: withToken.status, without_token: without.status });
    if (isLimited(withToken) || isLimited(without)) {
      inquiry.note('the server limits the rate of requests: forged tokens were not tried');
      return null;
    }
    if (!isAccepted(withToken)) {
      inquiry.note(`the token itself is answered with ${withToken.status}: forged ones were not tried`);
      return null;
    }
    if (isAccepted(without)) {
      inquiry.note(`the answer without a token is ${without.status} as well: forged ones were not tried`);
      return null;
    }
    return new Comparison(inquiry, carrier, { accepted: withToken.status, refused: without.status });
  }

  get summary(): string {
    return `with the token: ${this.#accepted}; without a token: ${this.#refused}`;
  }

  /** Taken like the real one, while its control and a request without a token are still refused. */
  async takes({ text, control }: Pick<Forgery, 'text' | 'control'>): Promise<boolean> {
    const answer = await ask(this.#inquiry, this.#carrier, text);
    if (answer === null || answer.status !== this.#accepted) return false;
    return (await this.#refuses(null)) && (control === undefined || (await this.#refuses(control)));
  }

  async #refuses(token: string | null): Promise<boolean> {
    const answer = await ask(this.#inquiry, this.#carrier, token);
    return answer !== null && !isAccepted(answer) && !isLimited(answer);
  }
}

/** Too many requests: that says nothing about a token. */
const isLimited = ({ status }: AuditAnswer): boolean => status === 429;
const isAccepted = ({ status }: AuditAnswer): boolean => status >= 200 && status < 300;

function ask(
  inquiry: Inquiry<JwtRule>,
  { header, prefix }: Carrier,
  token: string | null,
): Promise<AuditAnswer | null> {
  const headers: Record<string, string> = token === null ? {} : { [header]: `${prefix}${token}` };
  return inquiry.ask({ url: inquiry.input.url, headers, isAuthenticated: false });
}
