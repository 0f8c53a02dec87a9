import { specialKind } from '../../../../engine/net/egress/special-address.ts';
import { headerOf, showExchange } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import { type Access, leave } from './access.ts';
import { accept, greet, isGreeted, type McpInquiry } from './talk.ts';

/** Requests that a foreign web page could have a browser send: with another Host, with another Origin. */

const foreignHost = 'rebind.hotcell.invalid';
const foreignOrigin = 'https://page.hotcell.invalid';
const near: ReadonlySet<string | null> = new Set(['loopback', 'private', 'link-local', 'carrier']);

/** Only what a browser can reach and others cannot is worth a rebinding. */
function isNear(inquiry: McpInquiry): boolean {
  return inquiry.input.addresses.some((address) => near.has(specialKind(address)));
}

export async function checkHost(inquiry: McpInquiry, { usual, isOpen }: Access): Promise<void> {
  const { port } = new URL(inquiry.input.url);
  const host = port === '' ? foreignHost : `${foreignHost}:${port}`;
  const heard = await greet(inquiry, { ...usual, session: undefined, headers: { host } });
  await leave(inquiry, heard, usual);
  const isAccepted = isGreeted(heard);
  inquiry.fact('foreign_host', isAccepted ? 'accepted' : (heard?.answer.status ?? 'no answer'));
  if (!isAccepted || !isNear(inquiry)) return;
  inquiry.claim({
    rule: 'foreign-host-accepted',
    at: inquiry.input.url,
    detail: `A greeting with the Host ${host} is answered. The server is at a private address: a web page whose name is made to point there can talk to it${isOpen ? '' : ', as far as it has the credential'}.`,
    evidence: showExchange(heard.request, heard.answer, { bodyBytes: 200 }),
    repro: heard.request,
    ...(isOpen ? {} : { severity: 'low' as const }),
  });
}

export async function checkOrigin(inquiry: McpInquiry, { usual, isOpen }: Access): Promise<void> {
  const heard = await greet(inquiry, { ...usual, session: undefined, headers: { origin: foreignOrigin } });
  await leave(inquiry, heard, usual);
  if (isGreeted(heard)) {
    inquiry.claim({
      rule: 'foreign-origin-accepted',
      at: inquiry.input.url,
      detail: `A greeting with the Origin ${foreignOrigin} is answered instead of refused with 403.`,
      evidence: showExchange(heard.request, heard.answer, { bodyBytes: 200 }),
      repro: heard.request,
      ...(isOpen && isNear(inquiry) ? { severity: 'high' as const } : isOpen ? {} : { severity: 'low' as const }),
    });
  }
  await checkCors(inquiry, heard, isOpen);
}

function allowsReading(answer: AuditAnswer): string | null {
  const allowed = headerOf(answer, 'access-control-allow-origin')?.trim();
  if (allowed !== '*' && allowed !== foreignOrigin) return null;
  const withCookies = headerOf(answer, 'access-control-allow-credentials')?.trim() === 'true';
  return allowed === '*'
    ? 'any origin'
    : withCookies
      ? 'whatever origin asks, with its cookies'
      : 'whatever origin asks';
}

async function checkCors(
  inquiry: McpInquiry,
  heard: { readonly request: AuditRequest; readonly answer: AuditAnswer } | null,
  isOpen: boolean,
): Promise<void> {
  const preflight: AuditRequest = {
    url: inquiry.input.url,
    method: 'OPTIONS',
    isAuthenticated: false,
    headers: {
      origin: foreignOrigin,
      accept,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    },
  };
  const asked = inquiry.covers(preflight.url, 'OPTIONS') ? await inquiry.ask(preflight) : null;
  const candidates = [
    ...(heard === null ? [] : [heard]),
    ...(asked === null ? [] : [{ request: preflight, answer: asked }]),
  ];
  for (const { request, answer } of candidates) {
    const allowed = allowsReading(answer);
    if (allowed === null) continue;
    inquiry.claim({
      rule: 'cors-any-origin',
      at: inquiry.input.url,
      detail: `The CORS headers allow ${allowed} to read answers.`,
      evidence: showExchange(request, answer, {
        headers: ['access-control-allow-origin', 'access-control-allow-credentials'],
      }),
      repro: request,
      ...(isOpen ? {} : { severity: 'low' as const }),
    });
    return;
  }
}
