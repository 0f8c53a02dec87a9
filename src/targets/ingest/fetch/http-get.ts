import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { describeError, HostError, TargetError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import type { FetchContext } from './contract.ts';
import { findNetrc } from './netrc.ts';
import type { PipSettings } from './pip-settings.ts';
import { withoutCredentials } from './shown-url.ts';

export interface Answer {
  /** After redirects. */
  readonly url: string;
  readonly type: string;
  readonly body: http.IncomingMessage;
}

const mostRedirects = 5;
const answerTimeoutMs = 60 * secondMs;

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** As pip finds them: in the URL, else in the netrc file. */
function credentialsFor(url: URL, context: FetchContext): string | undefined {
  const path = context.environment.NETRC ?? join(context.home, '.netrc');
  const found = url.username === '' ? findNetrc(readIfThere(path) ?? '', url.hostname) : undefined;
  const user = found?.login ?? decodeURIComponent(url.username);
  const password = found?.password ?? decodeURIComponent(url.password);
  return user === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function agentFor(url: URL, settings: PipSettings, environment: FetchContext['environment']): http.Agent {
  const { proxy, certificateFile, trustedHosts } = settings;
  const proxyEnv = proxy === undefined ? { ...environment } : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  if (url.protocol === 'http:') return new http.Agent({ proxyEnv });
  const ca = readIfThere(certificateFile ?? environment.REQUESTS_CA_BUNDLE ?? '');
  const isTrusted = trustedHosts.some((host) => host === url.hostname || host === url.host);
  return new https.Agent({
    proxyEnv,
    ...(ca === undefined ? {} : { ca }),
    ...(isTrusted ? { rejectUnauthorized: false } : {}),
  });
}

function ask(url: URL, accept: string, settings: PipSettings, context: FetchContext): Promise<http.IncomingMessage> {
  const authorization = credentialsFor(url, context);
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const headers = {
    accept,
    'accept-encoding': 'identity',
    'user-agent': 'hotcell',
    ...(authorization === undefined ? {} : { authorization }),
  };
  const agent = agentFor(url, settings, context.environment);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? http : https).get(
      bare,
      { headers, agent, timeout: answerTimeoutMs },
      resolve,
    );
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
    request.once('error', reject);
  });
}

/** GET with the user's settings. A redirect never goes from https to http, and credentials stay with their host. */
export async function httpGet(
  text: string,
  accept: string,
  settings: PipSettings,
  context: FetchContext,
): Promise<Answer> {
  let url = new URL(text);
  const operation = `GET ${withoutCredentials(text)}`;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new TargetError(`${operation}: ${url.protocol} is not used`);
    let answer: http.IncomingMessage;
    try {
      answer = await ask(url, accept, settings, context);
    } catch (cause) {
      throw new HostError(`${operation}: the package index cannot be reached: ${describeError(cause)}`, {
        cause,
        hint: 'pip index versions pip says whether pip reaches it; its settings are used here too',
      });
    }
    const { statusCode = 0, headers } = answer;
    if (statusCode === 200) return { url: url.href, type: headers['content-type'] ?? '', body: answer };
    answer.destroy();
    if (statusCode === 404) throw new TargetError(`${operation}: the package index has no such thing`);
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) {
      throw new HostError(`${operation}: the package index answers ${statusCode}`, {
        ...(statusCode === 401 || statusCode === 403
          ? { hint: 'put the credentials where pip finds them: the URL or ~/.netrc' }
          : {}),
      });
    }
    if (!URL.canParse(headers.location, url.href)) throw new TargetError(`${operation}: a redirect to nowhere`);
    const next = new URL(headers.location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new TargetError(`${operation}: a redirect away from https`);
    url = next;
  }
  throw new TargetError(`${operation}: more than ${mostRedirects} redirects`);
}

export async function readBody(answer: Answer, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new TargetError(`GET ${withoutCredentials(answer.url)}: more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
