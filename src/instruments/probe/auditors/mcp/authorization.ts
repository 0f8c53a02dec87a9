import { asString, asStrings, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { headersOf, quoteText, showExchange } from '../client/index.ts';
import { jsonOf } from '../inquiry/answer.ts';
import type { Heard, McpInquiry } from './talk.ts';

/** What a caller learns who was refused: where the metadata of the protected resource is, and whether it fits. */

const metadataParameter = /\bresource_metadata="?([^\s",]{1,2000})/i;
const wellKnown = '/.well-known/oauth-protected-resource';

interface Metadata {
  readonly url: string;
  readonly value: JsonObject;
}

function placesOf(inquiry: McpInquiry, named: string | undefined): readonly string[] {
  const { origin, pathname } = new URL(inquiry.input.url);
  const usual = [`${origin}${wellKnown}${pathname === '/' ? '' : pathname}`, `${origin}${wellKnown}`];
  return named === undefined ? usual : [named, ...usual];
}

async function findMetadata(inquiry: McpInquiry, named: string | undefined): Promise<Metadata | null> {
  for (const url of new Set(placesOf(inquiry, named))) {
    if (!inquiry.covers(url)) {
      inquiry.note(`the scope does not reach the metadata of the resource at ${quoteText(url, 300)}`);
      continue;
    }
    const answer = await inquiry.ask({ url, headers: { accept: 'application/json' }, isAuthenticated: false });
    const value = answer?.status === 200 ? jsonOf(answer) : undefined;
    if (isObject(value) && typeof value.resource === 'string') return { url, value };
  }
  return null;
}

/** The resource may be the endpoint or something above it on the same origin. */
function fits(resource: string, endpoint: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [own, asked] = [new URL(resource), new URL(endpoint)];
  const path = own.pathname.replace(/\/$/, '');
  return own.origin === asked.origin && (asked.pathname === path || asked.pathname.startsWith(`${path}/`));
}

export async function checkAuthorization(inquiry: McpInquiry, { request, answer }: Heard): Promise<void> {
  if (answer.status !== 401) return;
  const challenges = headersOf(answer, 'www-authenticate');
  const named = challenges
    .map((text) => metadataParameter.exec(text.slice(0, 8192))?.[1])
    .find((each) => each !== undefined);
  const canBeSeen = named === undefined || inquiry.covers(named);
  const metadata = await findMetadata(inquiry, named);
  inquiry.fact('authorization', {
    challenge: challenges.map((text) => quoteText(text, 200)).slice(0, 5),
    metadata: metadata === null ? null : quoteText(metadata.url, 300),
  });
  if (metadata === null) {
    if (challenges.length > 0 && !canBeSeen) return;
    inquiry.claim({
      rule: 'authorization-not-discoverable',
      at: inquiry.input.url,
      detail:
        challenges.length === 0
          ? 'The 401 has no WWW-Authenticate header, and there is no metadata of the protected resource.'
          : 'The 401 names no metadata of the protected resource, and there is none at the usual places.',
      evidence: showExchange(request, answer, { headers: ['www-authenticate'] }),
      repro: request,
    });
    return;
  }
  const servers = asStrings(metadata.value.authorization_servers);
  const resource = asString(metadata.value.resource) ?? '';
  const problems = [
    ...(fits(resource, inquiry.input.url) ? [] : [`it is about ${quoteText(resource, 200)}`]),
    ...(servers.length === 0 ? ['it names no authorization server'] : []),
    ...servers
      .filter((each) => /^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$))/i.test(each))
      .map((each) => `the authorization server ${quoteText(each, 200)} is not reached over https`),
  ];
  if (problems.length === 0) return;
  inquiry.claim({
    rule: 'resource-metadata-mismatch',
    at: metadata.url,
    detail: `The metadata does not fit: ${problems.slice(0, 5).join('; ')}.`,
    evidence: `resource: ${quoteText(resource, 200)}`,
    repro: { url: metadata.url },
  });
}
