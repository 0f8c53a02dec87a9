import { isIP } from 'node:net';
import { AuditFailure } from '../client/failure.ts';
import { portOf, quoteText } from '../client/index.ts';
import type { Audit, AuditAnswer, Auditor, AuditRequest } from '../contract.ts';
import { Inquiry, type Phase, runPhases } from '../inquiry/inquiry.ts';
import { describeCertificate } from '../tls/certificate.ts';
import { shakeHands } from '../tls/handshake.ts';
import { checkCookies } from './check-cookies.ts';
import { checkCors } from './check-cors.ts';
import { checkErrors } from './check-errors.ts';
import { checkHeaders, checkHttps, checkVersions } from './check-headers.ts';
import { checkListings } from './check-listings.ts';
import { checkMethods } from './check-methods.ts';
import { checkRedirects } from './check-redirects.ts';
import { type Check, type Front, frontOf, type HttpInquiry } from './front.ts';
import { type HttpRule, httpRules } from './rules.ts';
import { findTechnologies } from './technologies.ts';

const checks: readonly (readonly [phase: string, check: Check])[] = [
  ['headers', checkHeaders],
  ['versions', checkVersions],
  ['https', checkHttps],
  ['cookies', checkCookies],
  ['origins', checkCors],
  ['methods', checkMethods],
  ['errors', checkErrors],
  ['listings', checkListings],
  ['redirects', checkRedirects],
];

const mostRequests = 100;
const shownHeaders = 60;

function titleOf({ body }: AuditAnswer): string | null {
  const head = body.subarray(0, 16 * 1024).toString('utf8');
  const title = /<title[^>]{0,200}>([^<]{0,500})/i.exec(head)?.[1]?.trim();
  return title === undefined || title === '' ? null : quoteText(title);
}

function sayFront(inquiry: HttpInquiry, { answer, url, kind }: Front): void {
  const locations = answer.headers.filter(([name]) => name === 'location').map(([, value]) => quoteText(value, 1000));
  inquiry.fact('answer', {
    status: answer.status,
    http_version: answer.httpVersion,
    kind,
    body_bytes: answer.body.length,
    is_cut: answer.isCut,
    elapsed_ms: answer.elapsedMs,
    title: kind === 'page' ? titleOf(answer) : null,
    redirect: locations[0] ?? null,
    url: url.href,
  });
  // What a cookie holds may be the key to a session.
  const headers = answer.headers
    .slice(0, shownHeaders)
    .map(([name, value]) => [
      quoteText(name, 64),
      quoteText(name === 'set-cookie' ? `${value.split('=', 1)[0]}=…` : value, 300),
    ]);
  inquiry.fact('headers', headers);
  inquiry.fact(
    'technologies',
    findTechnologies(answer).map((found) => ({ ...found })),
  );
}

async function sayTls(inquiry: HttpInquiry, { url }: Front): Promise<void> {
  const [address] = inquiry.input.addresses;
  if (url.protocol !== 'https:' || address === undefined) return;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  try {
    const seen = await shakeHands({ address, port: portOf(url), serverName: isIP(name) === 0 ? name : '' });
    const [leaf] = seen.chain;
    inquiry.fact('tls', {
      version: seen.version,
      suite: seen.suite,
      alpn: seen.protocol,
      chain_error: seen.chainError,
      certificate: leaf === undefined ? null : { ...describeCertificate(leaf) },
    });
  } catch (error) {
    if (!(error instanceof AuditFailure)) throw error;
    inquiry.note(`TLS could not be looked at: ${error.message}`);
  }
}

export async function auditHttp(audit: Audit): Promise<void> {
  const inquiry = new Inquiry<HttpRule>(audit, { group: 'http', rules: httpRules, mostRequests });
  const request: AuditRequest = { url: audit.input.url };
  // Without an answer there is nothing to look at: this one may fail.
  const front = frontOf(request, await audit.client.send(request));
  sayFront(inquiry, front);
  const phases: readonly Phase<HttpRule>[] = [
    { name: 'tls', run: () => sayTls(inquiry, front) },
    ...checks.map(([name, check]) => ({ name, run: async () => check(inquiry, front) })),
  ];
  await runPhases(inquiry, phases);
}

export const httpAuditor: Auditor = { name: 'http', run: auditHttp };
