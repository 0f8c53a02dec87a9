import { randomBytes } from 'node:crypto';
import { mediaTypeOf } from '../client/index.ts';
import type { AuditAnswer } from '../contract.ts';
import type { OpenapiInquiry } from './api.ts';

/**
 * How the server answers what certainly does not exist. Some answer 200 with a page, some 401 to everything: only what
 * is answered otherwise is there.
 */
export class Baseline {
  readonly #answers: readonly AuditAnswer[];

  constructor(answers: readonly AuditAnswer[]) {
    this.#answers = answers;
  }

  isLike(answer: AuditAnswer): boolean {
    return this.#answers.some((known) => {
      if (known.status !== answer.status || mediaTypeOf(known) !== mediaTypeOf(answer)) return false;
      // A page for what is missing may name what was asked for.
      const slack = Math.max(64, known.body.length * 0.1);
      return Math.abs(known.body.length - answer.body.length) <= slack;
    });
  }

  /** Answered with success, and not because everything is. */
  isFound(answer: AuditAnswer): boolean {
    return answer.status >= 200 && answer.status < 300 && !this.isLike(answer);
  }

  get statuses(): readonly number[] {
    return this.#answers.map(({ status }) => status);
  }
}

export async function takeBaseline(inquiry: OpenapiInquiry, base: string): Promise<Baseline> {
  const answers: AuditAnswer[] = [];
  for (const shape of ['', '/more']) {
    const answer = await inquiry.ask({ url: `${base}/hotcell-${randomBytes(8).toString('hex')}${shape}` });
    if (answer !== null) answers.push(answer);
  }
  return new Baseline(answers);
}
