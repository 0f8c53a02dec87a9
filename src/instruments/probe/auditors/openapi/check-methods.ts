import { headersOf, showExchange } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import { type Api, writingMethods } from './api.ts';
import type { Operation } from './description.ts';
import { isDocumented } from './documented.ts';
import { requestFor } from './visit.ts';

/** Methods of documented paths that the document does not have. */

const mostPaths = 150;
const methodsTried: readonly string[] = ['GET', ...writingMethods];
/** An answer that only somebody gives who knows the method. */
const knowing: ReadonlySet<number> = new Set([400, 409, 415, 422]);

/**
 * A request that a server can tell the method by and hardly do anything with: a value that nothing has, and a body that
 * is no record. Nothing is deleted where there is no value to name nothing by.
 */
function harmless(api: Api, operation: Operation, method: string): AuditRequest | null {
  if (method === 'DELETE' && !operation.path.includes('{')) return null;
  const instead = new Map(
    operation.parameters.filter(({ place }) => place === 'path').map(({ name }) => [`path ${name}`, 'hotcell-none']),
  );
  const asked = requestFor(api, { ...operation, method, body: null }, { instead });
  if (method === 'GET' || method === 'DELETE') return { ...asked, method };
  return { ...asked, method, headers: { ...asked.headers, 'content-type': 'application/json' }, body: '"hotcell"' };
}

function claim(
  api: Api,
  path: string,
  method: string,
  request: AuditRequest,
  answer: AuditAnswer,
  isExecuted: boolean,
): void {
  api.inquiry.claim({
    rule: 'undocumented-method',
    at: request.url,
    title: `A method that the document does not have is answered: ${method} ${path}`,
    detail: isExecuted
      ? `${method} ${path} is answered with ${answer.status}.`
      : `${method} ${path} is answered with ${answer.status}, as only a server does that knows the method.`,
    evidence: showExchange(request, answer),
    repro: request,
    ...(isExecuted ? {} : { severity: 'low' as const, evidenceClass: 'B' as const }),
  });
}

async function allowedBy(
  api: Api,
  operation: Operation,
): Promise<{ request: AuditRequest; answer: AuditAnswer; methods: readonly string[] } | null> {
  const request = { ...requestFor(api, { ...operation, body: null }), method: 'OPTIONS' };
  if (!api.inquiry.covers(request.url, 'OPTIONS')) return null;
  const answer = await api.inquiry.ask(request);
  if (answer === null || answer.status >= 400) return null;
  const methods = headersOf(answer, 'allow')
    .flatMap((value) => value.slice(0, 500).split(','))
    .map((method) => method.trim().toUpperCase())
    .filter((method) => writingMethods.has(method) || method === 'GET');
  return { request, answer, methods };
}

export async function checkMethods(api: Api): Promise<void> {
  const byPath = Map.groupBy(api.description.operations, ({ path }) => path);
  const byMethod = Map.groupBy(api.description.operations, ({ method }) => method);
  for (const [path, operations] of [...byPath].slice(0, mostPaths)) {
    const [operation] = operations;
    if (operation === undefined || api.inquiry.isOver) continue;
    // What a server hands to the operation of another template is documented there.
    const known = new Set(
      methodsTried.filter((method) => isDocumented(byMethod.get(method)?.map((each) => each.path) ?? [], path)),
    );
    for (const { method } of operations) known.add(method);
    if (known.has('HEAD')) known.add('GET');
    const tried = new Set<string>();
    for (const method of api.mayWrite ? methodsTried : ['GET']) {
      const request = known.has(method) ? null : harmless(api, operation, method);
      if (request === null || !api.inquiry.covers(request.url, method)) continue;
      const answer = await api.inquiry.ask(request);
      if (answer === null) continue;
      tried.add(method);
      const isExecuted = api.baseline.isFound(answer);
      const isKnown = method !== 'GET' && knowing.has(answer.status) && !api.baseline.isLike(answer);
      if (isExecuted || isKnown) claim(api, path, method, request, answer, isExecuted);
    }
    const told = await allowedBy(api, operation);
    const rest = told?.methods.filter((method) => !known.has(method) && !tried.has(method)) ?? [];
    if (told === null || rest.length === 0) continue;
    api.inquiry.claim({
      rule: 'undocumented-method',
      at: told.request.url,
      title: `Methods that the document does not have are offered: ${rest.join(', ')} ${path}`,
      detail: `The Allow header of ${path} names ${rest.join(', ')}; they were not tried.`,
      evidence: showExchange(told.request, told.answer, { headers: ['allow'] }),
      repro: told.request,
      severity: 'low',
      evidenceClass: 'C',
    });
  }
}
