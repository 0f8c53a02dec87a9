import { answerMessage } from '../../dns/serve.ts';
import { type HttpRequest, headerOf, type Site } from '../site.ts';

/** Questions that hide in HTTPS (RFC 8484) get the same answers as all others. */

const type = 'application/dns-message';

function questionIn(request: HttpRequest): Buffer | null {
  if (request.method === 'POST' && headerOf(request, 'content-type') === type) return request.body;
  const encoded = /^[^?]*\?(?:.*&)?dns=([A-Za-z0-9_-]+)/.exec(request.path)?.[1];
  const isAsked = headerOf(request, 'accept')?.includes(type) || request.path.startsWith('/dns-query');
  return request.method === 'GET' && isAsked && encoded !== undefined ? Buffer.from(encoded, 'base64url') : null;
}

export const dnsOverHttpsSite: Site = {
  id: 'dns-over-https',
  title: 'DNS over HTTPS',
  async answer(request, conversation) {
    const question = questionIn(request);
    const answer = question === null ? null : await answerMessage(question, conversation, 'https');
    return answer === null ? null : { status: 200, headers: { 'content-type': type }, body: answer };
  },
};
