import { specialKind } from '../../../../engine/net/egress/special-address.ts';
import { quoteText, showExchange } from '../client/index.ts';
import { eventsOf, isStream } from './messages.ts';
import { type McpInquiry, streamMs } from './talk.ts';

/** What carries the messages. */

export function checkPlainHttp(inquiry: McpInquiry): void {
  const { url, addresses } = inquiry.input;
  if (!url.startsWith('http:') || addresses.every((address) => specialKind(address) === 'loopback')) return;
  inquiry.claim({
    rule: 'plain-http',
    at: url,
    detail: `The endpoint answers at ${addresses.slice(0, 4).join(', ')} without TLS: whoever is on the way reads and changes every call, and takes credentials and sessions.`,
    evidence: url,
    repro: { url },
  });
}

/** The older form: a GET opens a stream whose first event says where to post. Told, and not gone into. */
export async function findLegacyStream(inquiry: McpInquiry): Promise<boolean> {
  const { url } = inquiry.input;
  const beside = new URL('sse', url.endsWith('/') ? url : `${url}/../`).href;
  for (const place of new Set([url, beside, `${new URL(url).origin}/sse`])) {
    if (!inquiry.covers(place)) continue;
    const request = {
      url: place,
      headers: { accept: 'text/event-stream' },
      timeoutMs: streamMs,
      isAuthenticated: false,
    };
    const answer = await inquiry.ask(request);
    if (answer === null || answer.status !== 200 || !isStream(answer)) continue;
    const endpoint = eventsOf(answer).find(({ name }) => name === 'endpoint');
    if (endpoint === undefined) continue;
    const [path = ''] = endpoint.data.split('?', 1);
    inquiry.fact('legacy_sse', { stream: quoteText(place, 300), endpoint: quoteText(path, 300) });
    inquiry.claim({
      rule: 'legacy-sse',
      at: place,
      detail: `A stream of events was opened without a credential; it says to post to ${quoteText(path, 300)}.`,
      evidence: showExchange(request, answer, { headers: ['content-type'] }),
      repro: request,
    });
    return true;
  }
  return false;
}
