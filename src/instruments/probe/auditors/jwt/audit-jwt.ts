import type { Audit, AuditInput, Auditor } from '../contract.ts';
import { Inquiry, type Phase, runPhases } from '../inquiry/inquiry.ts';
import { type Carrier, Comparison } from './compare-answers.ts';
import { findKeys } from './find-keys.ts';
import {
  expiredForgery,
  type Forgery,
  headerForgeries,
  keyForgeries,
  secretForgery,
  unchecked,
  unsignedForgeries,
} from './forgeries.ts';
import { describeToken, knownSecretOf, lookAtToken } from './look-at-token.ts';
import { type JwtRule, jwtRules } from './rules.ts';
import { isHmac, parseToken, shownToken, type Token } from './token.ts';

const mostRequests = 120;

interface Given {
  readonly token: Token;
  readonly carrier: Carrier;
}

function givenToken({ arguments: given, credential }: AuditInput): Given {
  if (typeof given.token === 'string') {
    const token = parseToken(given.token);
    if (token === null) throw new Error('the token is not a signed JSON Web Token');
    return { token, carrier: { header: 'authorization', prefix: 'Bearer ' } };
  }
  const value = credential?.value ?? '';
  const [, prefix = '', text = ''] = /^([A-Za-z]{1,20} {1,5})?(\S{1,8192})$/.exec(value) ?? [];
  const token = parseToken(text);
  if (token === null) throw new Error('the credential holds no signed JSON Web Token');
  return { token, carrier: { header: credential?.header ?? 'authorization', prefix } };
}

/** The token and what was made of it are never in it. */
function reproOf({ header, prefix }: Carrier, how: string, url: string): string {
  return `curl -ski -H '${header}: ${prefix}<the token ${how.replaceAll("'", '')}>' '${url.replaceAll("'", '%27')}'`;
}

class JwtAudit {
  readonly #inquiry: Inquiry<JwtRule>;
  readonly #given: Given;
  readonly #now: number;

  constructor(inquiry: Inquiry<JwtRule>, given: Given, now: number) {
    this.#inquiry = inquiry;
    this.#given = given;
    this.#now = now;
  }

  #claimOffline(): void {
    const { token, carrier } = this.#given;
    const { url } = this.#inquiry.input;
    this.#inquiry.fact('token', describeToken(token));
    for (const sighting of lookAtToken(token, new URL(url).hostname, this.#now)) {
      const evidence = `token ${shownToken(token)} with alg ${token.alg.slice(0, 32)}`;
      this.#inquiry.claim({ ...sighting, at: url, evidence, repro: reproOf(carrier, 'as it is', url) });
    }
  }

  #claimLive({ rule, how }: Forgery, comparison: Comparison): void {
    const { token, carrier } = this.#given;
    const { url } = this.#inquiry.input;
    this.#inquiry.claim({
      rule,
      at: url,
      title: rule === 'weak-secret' ? 'Tokens made with the guessed secret are accepted' : jwtRules[rule].title,
      detail: `The token ${shownToken(token)} ${how} is accepted like the real one.`,
      evidence: `${comparison.summary}; with the token ${how}: accepted`,
      repro: reproOf(carrier, how, url),
    });
  }

  /** Claims the first that is taken of each rule. */
  async #tryAll(forgeries: readonly Forgery[], comparison: Comparison): Promise<boolean> {
    const taken = new Set<JwtRule>();
    for (const forgery of forgeries) {
      if (taken.has(forgery.rule) || !(await comparison.takes(forgery))) continue;
      taken.add(forgery.rule);
      this.#claimLive(forgery, comparison);
    }
    return taken.size > 0;
  }

  async #forge(): Promise<void> {
    const { token, carrier } = this.#given;
    const inquiry = this.#inquiry;
    const comparison = await Comparison.open(inquiry, carrier, token.text);
    if (comparison === null) return;
    const { exp } = token.payload;
    if (typeof exp === 'number' && exp < this.#now) {
      this.#claimLive({ rule: 'expired-accepted', how: 'as it is, though it has expired', text: '' }, comparison);
    }
    if (await this.#tryAll(unchecked(token), comparison)) {
      inquiry.note('the signature is not checked at all: other forgeries would be taken as well and were not tried');
      return;
    }
    await this.#tryAll(unsignedForgeries(token), comparison);
    await this.#tryAll(headerForgeries(token), comparison);
    if (!isHmac(token.alg)) {
      const keys = await findKeys(inquiry, token);
      if (keys.length === 0)
        inquiry.note('no public key was found: whether it is taken as an HMAC secret was not tried');
      await this.#tryAll(keyForgeries(token, keys), comparison);
    }
    const secret = knownSecretOf(token);
    if (secret !== null) {
      await this.#tryAll([secretForgery(token, secret), expiredForgery(token, secret, this.#now)], comparison);
    }
  }

  phases(): readonly Phase<JwtRule>[] {
    return [
      { name: 'token', run: async () => this.#claimOffline() },
      { name: 'forgeries', run: () => this.#forge() },
    ];
  }
}

export async function auditJwt(audit: Audit): Promise<void> {
  const inquiry = new Inquiry<JwtRule>(audit, { group: 'jwt', rules: jwtRules, mostRequests });
  const now = Math.floor(Date.now() / 1000);
  await runPhases(inquiry, new JwtAudit(inquiry, givenToken(audit.input), now).phases());
}

export const jwtAuditor: Auditor = { name: 'jwt', run: auditJwt };
