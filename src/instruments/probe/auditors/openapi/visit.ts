import { showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import type { Api, Visited } from './api.ts';
import { type BuildOptions, buildRequest } from './build-request.ts';
import type { Operation } from './description.ts';

/** Calls every operation once as its document says, and says which are not there. */

export function requestFor(
  { base, description, inquiry }: Api,
  operation: Operation,
  options: BuildOptions = {},
): AuditRequest {
  const request = buildRequest(base, operation, description.references, options);
  const own = inquiry.input.credential?.header.toLowerCase();
  // A parameter of the document must not take the place of the credential.
  const headers = Object.fromEntries(Object.entries(request.headers ?? {}).filter(([name]) => name !== own));
  return { ...request, headers };
}

const absent: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** A 404 to a path with a value in it may be about the value, unless it looks like that of any unknown path. */
function isMissing({ baseline }: Api, { operation, answer }: Visited): boolean {
  if (!absent.has(answer.status)) return false;
  return answer.status === 405 || answer.status === 501 || !operation.path.includes('{') || baseline.isLike(answer);
}

export async function visitAll(api: Api): Promise<readonly Visited[]> {
  const visited: Visited[] = [];
  const missing: Visited[] = [];
  for (const operation of api.operations) {
    if (api.inquiry.isOver) break;
    const request = requestFor(api, operation);
    const answer = await api.inquiry.ask(request);
    if (answer === null) continue;
    const visit = { operation, request, answer };
    visited.push(visit);
    if (isMissing(api, visit)) missing.push(visit);
  }
  // An API without a single operation of its document is another API, or elsewhere.
  if (missing.length > 0 && missing.length === visited.length) {
    api.inquiry.note('no operation of the document is there: the base URL may be another one');
  }
  for (const { operation, request, answer } of missing) {
    api.inquiry.claim({
      rule: 'operation-missing',
      at: request.url,
      title: `A documented operation is not there: ${operation.method} ${operation.path}`,
      detail: `${operation.method} ${operation.path} is answered with ${answer.status}.`,
      evidence: showExchange(request, answer),
      repro: request,
    });
  }
  return visited;
}
