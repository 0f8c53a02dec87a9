import { type HttpAnswer, type HttpRequest, headerOf, jsonAnswer, pathOnly, type Site, textAnswer } from '../site.ts';

/** What everybody else answers: something that programs and people can go on with. */

function page(host: string): string {
  const title = host.replace(/[^a-z0-9.:-]/g, '');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>It works.</p></body></html>\n`;
}

interface Case {
  readonly when: (request: HttpRequest) => boolean;
  readonly answer: (request: HttpRequest) => HttpAnswer;
}

const wants = (request: HttpRequest, type: string): boolean => headerOf(request, 'accept')?.includes(type) ?? false;
/** Names of headers that carry a key. */
const keyHeader =
  /^(?:authorization|private-token|(?:x-)?(?:[a-z0-9-]+-)?(?:api-?key|auth|access|token|secret)(?:-?(?:key|token|id))?)$/i;
const hasKey = ({ headers }: HttpRequest): boolean =>
  headers.some(([name, value]) => value !== '' && keyHeader.test(name));
const endsWith = (request: HttpRequest, pattern: RegExp): boolean => pattern.test(pathOnly(request));

/** The first that fits; the last always does. */
const cases: readonly Case[] = [
  {
    when: ({ method }) => method === 'OPTIONS',
    answer: () => ({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': '*',
      },
      body: Buffer.alloc(0),
    }),
  },
  {
    when: (request) => endsWith(request, /^\/(favicon\.ico|robots\.txt|\.well-known\/.*)$/),
    answer: () => textAnswer(404, 'text/plain', 'Not Found\n'),
  },
  // Nobody was ever given a key here, so every key is a wrong one: programs then go the way they go with a real service.
  {
    when: hasKey,
    answer: () => ({
      ...jsonAnswer(401, { status: 401, error: 'unauthorized', message: 'Invalid API key' }),
      headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer error="invalid_token"' },
    }),
  },
  { when: (request) => wants(request, 'text/html'), answer: ({ host }) => textAnswer(200, 'text/html', page(host)) },
  {
    when: (request) => endsWith(request, /\.(m?js)$/),
    answer: () => textAnswer(200, 'text/javascript', '/* empty */\n'),
  },
  { when: (request) => endsWith(request, /\.css$/), answer: () => textAnswer(200, 'text/css', '/* empty */\n') },
  // A download that was not handed in does not exist: inventing programs or archives would only crash the target.
  {
    when: (request) => endsWith(request, /\.(sh|exe|bin|zip|gz|tgz|xz|bz2|deb|rpm|whl|jar|so|dll|ps1|py)$/),
    answer: () => textAnswer(404, 'text/plain', 'Not Found\n'),
  },
  {
    when: ({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH',
    answer: () => jsonAnswer(200, { ok: true, status: 'success', id: 1 }),
  },
  { when: () => true, answer: () => jsonAnswer(200, { ok: true, status: 'success', data: [] }) },
];

export const plainSite: Site = {
  id: 'plain',
  title: 'JSON for programs, a small page for browsers, a refusal for whoever shows a key',
  answer: (request) => cases.find(({ when }) => when(request))?.answer(request) ?? null,
};
