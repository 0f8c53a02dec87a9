import type { OpenapiInquiry } from './api.ts';
import { buildRequest } from './build-request.ts';
import type { Description } from './description.ts';

/**
 * Below which URL the paths of the document are: the one that was given, or that with the path of a server of the
 * document. The host is always the one that was given: where a document points to is not where the scan goes.
 */

const mostTries = 3;

export function candidates(url: string, servers: readonly string[]): readonly string[] {
  const { origin, pathname } = new URL(url);
  const own = pathname.replace(/\/+$/, '');
  const paths = servers
    .slice(0, 10)
    .filter((server) => URL.canParse(server, origin))
    .map((server) => new URL(server, origin).pathname.replace(/\/+$/, ''))
    // What is not below the given URL is somewhere else.
    .filter((path) => path === own || path.startsWith(`${own}/`));
  return [...new Set([...paths, own])].map((path) => `${origin}${path}`);
}

export async function chooseBase(inquiry: OpenapiInquiry, description: Description): Promise<string> {
  const bases = candidates(inquiry.input.url, description.servers).filter((base) => inquiry.covers(`${base}/x`));
  const [first = new URL(inquiry.input.url).href.replace(/\/+$/, '')] = bases;
  if (bases.length < 2) return first;
  const plain = description.operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  for (const base of bases) {
    for (const operation of plain.slice(0, mostTries)) {
      const answer = await inquiry.ask(buildRequest(base, operation, description.references));
      if (answer !== null && answer.status !== 404) return base;
    }
  }
  return first;
}
