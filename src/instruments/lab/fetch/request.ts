import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { TargetError } from '../../../base/errors.ts';
import { type CheckedAddress, shown } from './addresses.ts';
import type { FetchOrder } from './contract.ts';
import type { Headers } from './headers.ts';

/** One request to one address. The name is used for the Host header and the certificate only. */

export interface Exchange {
  readonly response: IncomingMessage;
}

const certificateCodes = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(?:GET|VERIFY)/;

export function sendRequest(
  url: URL,
  { address, family }: CheckedAddress,
  headers: Headers,
  order: Pick<FetchOrder, 'method' | 'body' | 'isCertificateIgnored' | 'authorities'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.protocol === 'https:';
  const outgoing = (isSecure ? requestSecure : requestPlain)({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method: order.method ?? 'GET',
    headers: {
      'user-agent': 'Mozilla/5.0',
      accept: '*/*',
      'accept-encoding': 'identity',
      ...Object.fromEntries(headers),
      host: url.host,
    },
    agent: false,
    family,
    // Whatever the name resolves to by now: only the address that was checked is connected to.
    lookup: (_host, options, done) => {
      if (options.all === true) done(null, [{ address, family }]);
      else done(null, address, family);
    },
    signal,
    insecureHTTPParser: false,
    maxHeaderSize: 64 * 1024,
    ...(isSecure ? { rejectUnauthorized: order.isCertificateIgnored !== true } : {}),
    ...(isSecure && order.authorities !== undefined ? { ca: [...order.authorities] } : {}),
  });
  outgoing.once('response', resolve);
  outgoing.once('error', (cause) => reject(signal.aborted ? signal.reason : explain(url, cause)));
  // An answer that asks to speak another protocol is none.
  outgoing.once('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new TargetError(`${shown(url.host)} asks for another protocol`));
  });
  outgoing.end(order.body);
  return promise;
}

function explain(url: URL, cause: Error): TargetError {
  const code = 'code' in cause ? String(cause.code) : '';
  const host = shown(url.host);
  if (certificateCodes.test(code)) {
    return new TargetError(`the certificate of ${host} is not trusted (${code})`, {
      cause,
      hint: 'ignore the certificate explicitly if this server is expected to have such a one',
    });
  }
  return new TargetError(`${host} cannot be reached (${code === '' ? 'no answer' : code})`, { cause });
}
