import { quoteBody, quoteText, showExchange } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import { findTrace } from '../inquiry/traces.ts';
import { bareUrl, type Check, type HttpInquiry } from './front.ts';

/** What comes back when something is asked for that is not there, or asked for wrongly. Nothing is changed by either. */

const headBytes = 128 * 1024;

/** Words that only a page for developers has. */
const debugPages: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Werkzeug', /<title>[^<]{0,300}\/\/ Werkzeug Debugger|class="debugger"/],
  ['Django', /You're seeing this error because you have <code>DEBUG = True/],
  ['Laravel', /window\.ignite\(|<title>[^<]{0,100}Whoops! There was an error/],
  ['Symfony', /class="?sf-dump|symfony-ghost/],
  ['Rails', /<h1>Routing Error<\/h1>|Rails\.root: /],
  ['ASP.NET', /<b> ?Source Error: ?<\/b>|Developer Exception Page/],
  ['Spring', /"trace":"[\w.$]{3,200}(?:Exception|Error)/],
];

function judge(inquiry: HttpInquiry, request: AuditRequest, answer: AuditAnswer): void {
  const body = answer.body.subarray(0, headBytes).toString('latin1');
  const evidence = showExchange(request, answer, { headers: ['content-type'] });
  const debug = debugPages.find(([, mark]) => mark.test(body));
  if (debug !== undefined) {
    inquiry.claim({
      rule: 'debug-page',
      at: request.url,
      detail: `The answer is an error page of ${debug[0]} in debug mode.`,
      evidence: `${evidence}\n< ${quoteBody(answer, 200)}`,
      repro: request,
    });
    return;
  }
  const trace = findTrace(answer.body);
  if (trace === null) return;
  const what = trace.kind === 'stack' ? `a stack trace of ${trace.runtime}` : 'a path of the server';
  inquiry.claim({
    rule: 'stack-trace',
    at: request.url,
    detail: `The answer holds ${what}.`,
    evidence: `${evidence}\n< ${quoteText(trace.text)}`,
    repro: request,
  });
}

const missingName = 'hotcell-probe-not-there';

function wrongUrls(url: URL): readonly string[] {
  const folder = url.pathname.replace(/[^/]{0,2000}$/, '');
  const deeper = `${url.pathname.replace(/\/$/, '')}/${missingName}`;
  return [`${url.origin}${folder}${missingName}`, `${url.origin}${deeper}`, `${bareUrl(url)}?id[]=%27%22&id=%ff&%=`];
}

export const checkErrors: Check = async (inquiry, { url, request, answer }) => {
  if (answer.status >= 400) judge(inquiry, request, answer);
  for (const wrong of new Set(wrongUrls(url))) {
    if (!inquiry.covers(wrong)) continue;
    const asked: AuditRequest = { url: wrong };
    const given = await inquiry.ask(asked);
    // A page that is the same for every path may well be about stack traces.
    if (given !== null && given.status >= 400) judge(inquiry, asked, given);
  }
};
