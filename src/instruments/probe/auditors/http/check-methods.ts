import { headerOf, quoteText, showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import { type Check, isSuccess } from './front.ts';

const markerName = 'x-hotcell-probe';
const marker = 'trace-marker-7f3a';

/** Nothing but an echo sends a header back that only we know. */
const checkTrace: Check = async (inquiry, front) => {
  const request: AuditRequest = { url: front.request.url, method: 'TRACE', headers: { [markerName]: marker } };
  const answer = await inquiry.ask(request);
  if (answer === null || !isSuccess(answer) || !answer.body.includes(marker)) return;
  inquiry.claim({
    rule: 'trace-enabled',
    at: front.request.url,
    detail: 'The answer holds a header of the request.',
    evidence: showExchange(request, answer, { headers: ['content-type'], bodyBytes: 300 }),
    repro: request,
  });
};

const unusual: ReadonlySet<string> = new Set([
  'TRACE',
  'TRACK',
  'CONNECT',
  'DEBUG',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
]);

function methodsOf(list: string): readonly string[] {
  const words = list.slice(0, 1000).toUpperCase().split(',');
  return [...new Set(words.map((word) => word.trim()).filter((word) => /^[A-Z][A-Z-]{1,30}$/.test(word)))];
}

const checkOptions: Check = async (inquiry, front) => {
  const request: AuditRequest = { url: front.request.url, method: 'OPTIONS' };
  const answer = await inquiry.ask(request);
  if (answer === null) return;
  const methods = methodsOf(headerOf(answer, 'allow') ?? headerOf(answer, 'access-control-allow-methods') ?? '');
  if (methods.length === 0) return;
  inquiry.fact('methods', methods);
  const odd = methods.filter((method) => unusual.has(method));
  if (odd.length === 0) return;
  inquiry.claim({
    rule: 'methods-offered',
    at: front.request.url,
    detail: `OPTIONS names ${quoteText(odd.join(', '))}.`,
    evidence: showExchange(request, answer, { headers: ['allow', 'access-control-allow-methods'] }),
    repro: request,
  });
};

export const checkMethods: Check = async (inquiry, front) => {
  await checkTrace(inquiry, front);
  await checkOptions(inquiry, front);
};
