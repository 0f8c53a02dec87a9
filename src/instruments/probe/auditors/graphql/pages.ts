import { mediaTypeOf, showExchange } from '../client/index.ts';
import type { GraphqlInquiry } from './speak.ts';

/** Interactive pages for queries, at the endpoint itself and beside it. */

const siblings = ['graphiql', 'playground', 'altair', 'voyager'] as const;
const marks: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'GraphiQL', pattern: /graphiql(?:\.min)?\.(?:js|css)|<title>[^<]{0,80}graphiql|id="graphiql"/i },
  { name: 'GraphQL Playground', pattern: /graphql-playground|<title>[^<]{0,80}playground/i },
  { name: 'Altair', pattern: /altair-static|altair[^<]{0,40}graphql/i },
  { name: 'Voyager', pattern: /graphql-voyager/i },
  {
    name: 'Apollo Sandbox',
    pattern: /new window\.Embedded(?:Sandbox|Explorer)\(|embeddable-(?:sandbox|explorer)\.umd\./i,
  },
];
const head = 64 * 1024;

export async function checkPages(inquiry: GraphqlInquiry): Promise<void> {
  const { url } = inquiry.input;
  const places = [url, ...siblings.map((name) => new URL(name, url).href)];
  for (const place of places) {
    if (!inquiry.covers(place)) continue;
    const request = { url: place, method: 'GET', headers: { accept: 'text/html' } };
    const answer = await inquiry.ask(request);
    if (answer === null || answer.status !== 200 || !mediaTypeOf(answer).includes('html')) continue;
    const text = answer.body.subarray(0, head).toString('utf8');
    const mark = marks.find(({ pattern }) => pattern.test(text));
    if (mark === undefined) continue;
    inquiry.claim({
      rule: 'playground',
      at: place,
      detail: `${mark.name} is served to a browser.`,
      evidence: showExchange(request, answer, { bodyBytes: 200 }),
      repro: request,
    });
    return;
  }
}
