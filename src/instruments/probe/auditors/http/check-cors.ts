import { headerOf, showExchange } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import type { Check } from './front.ts';
import type { HttpRule } from './rules.ts';

/** Which other sites may read answers. An origin that is allowed by name and with credentials is the one that counts. */

const foreign = 'https://probe.example.invalid';

const shown = ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'];

function allows(answer: AuditAnswer, origin: string): 'with-credentials' | 'without' | 'no' {
  if (headerOf(answer, 'access-control-allow-origin')?.trim() !== origin) return 'no';
  return headerOf(answer, 'access-control-allow-credentials')?.trim() === 'true' ? 'with-credentials' : 'without';
}

export const checkCors: Check = async (inquiry, front) => {
  const { host, protocol } = front.url;
  const url = front.request.url;
  const claim = (rule: HttpRule, request: AuditRequest, answer: AuditAnswer, detail: string): void =>
    inquiry.claim({
      rule,
      at: url,
      detail,
      evidence: showExchange(request, answer, { headers: shown }),
      repro: request,
    });
  const askAs = async (origin: string): Promise<readonly [AuditRequest, AuditAnswer] | null> => {
    const request: AuditRequest = { url, headers: { origin } };
    const answer = await inquiry.ask(request);
    return answer === null ? null : [request, answer];
  };

  const asForeign = await askAs(foreign);
  if (asForeign !== null) {
    const [request, answer] = asForeign;
    if (allows(answer, foreign) === 'with-credentials') {
      claim('cors-any-origin', request, answer, `The origin ${foreign} is allowed, with credentials.`);
      return;
    }
    if (allows(answer, foreign) === 'without' || allows(answer, '*') !== 'no') {
      claim('cors-wildcard', request, answer, `The origin ${foreign} may read the answer, without credentials.`);
    }
  }
  const asNobody = await askAs('null');
  if (asNobody !== null && allows(asNobody[1], 'null') === 'with-credentials') {
    claim('cors-null-origin', ...asNobody, 'The origin "null" is allowed, with credentials.');
  }
  for (const origin of [`${protocol}//${host}.example.invalid`, `${protocol}//probe-${host}`]) {
    const asAlike = await askAs(origin);
    if (asAlike !== null && allows(asAlike[1], origin) === 'with-credentials') {
      claim('cors-lax-origin', ...asAlike, `The origin ${origin} is allowed, with credentials.`);
      return;
    }
  }
};
