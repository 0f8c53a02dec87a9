import type { IncomingMessage } from 'node:http';
import { isKnownError, TargetError, UsageError } from '../../../base/errors.ts';
import { type CheckedAddress, checkAddress, shown } from './addresses.ts';
import type { FetchHop, FetchOrder, FetchResult } from './contract.ts';
import { suggestName } from './file-name.ts';
import { type Headers, keptHeaders, readHeaders, withoutSecrets } from './headers.ts';
import { receiveBody } from './receive.ts';
import { sendRequest } from './request.ts';
import { readUrl } from './url.ts';

/** Fetches one file of the internet into a sink of the caller's, and from nowhere else than the internet. */

export type { FetchAllowance, FetchHop, FetchOrder, FetchResult, FetchSink } from './contract.ts';

export const fetchDefaults = { maxBytes: 200 * 1024 * 1024, timeoutMs: 120_000, maxRedirects: 10 } as const;
const mostMilliseconds = 3_600_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Arrival {
  readonly url: URL;
  readonly response: IncomingMessage;
  readonly address: CheckedAddress;
  readonly redirects: readonly FetchHop[];
  readonly notes: readonly string[];
}

/** UsageError: the order cannot be carried out. TargetError: the other side did not give the file, or may not. */
export async function fetchSample(order: FetchOrder): Promise<FetchResult> {
  const { maxBytes = fetchDefaults.maxBytes, timeoutMs = fetchDefaults.timeoutMs } = order;
  if (!(timeoutMs >= 1 && timeoutMs <= mostMilliseconds))
    throw new UsageError('the time limit is between 1 ms and an hour');
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = order.signal === undefined ? timeout : AbortSignal.any([order.signal, timeout]);
  try {
    const arrival = await Promise.race([follow(order, signal), whenAborted(signal)]);
    try {
      return await take(order, arrival, maxBytes);
    } finally {
      arrival.response.destroy();
    }
  } catch (error) {
    await order.sink.remove();
    order.signal?.throwIfAborted();
    if (timeout.aborted) throw new TargetError(`the file was not there within ${timeoutMs} ms`, { cause: error });
    if (isKnownError(error)) throw error;
    throw new TargetError('the file could not be fetched', { cause: error });
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

async function follow(order: FetchOrder, signal: AbortSignal): Promise<Arrival> {
  let url = readUrl(order.url);
  let headers: Headers = readHeaders(order.headers ?? []);
  let { method, body } = { method: order.method ?? 'GET', body: order.body };
  const redirects: FetchHop[] = [];
  const notes: string[] = [];
  for (;;) {
    const address = await checkAddress(url, order);
    const { isCertificateIgnored, authorities } = order;
    const trust = {
      ...(isCertificateIgnored === undefined ? {} : { isCertificateIgnored }),
      ...(authorities === undefined ? {} : { authorities }),
    };
    const response = await sendRequest(
      url,
      address,
      headers,
      { method, ...(body === undefined ? {} : { body }), ...trust },
      signal,
    );
    const status = response.statusCode ?? 0;
    const location = response.headers.location;
    if (!redirectStatuses.has(status) || location === undefined) return { url, response, address, redirects, notes };
    response.destroy();
    redirects.push({ url: url.href, status, address: address.address });
    if (redirects.length > (order.maxRedirects ?? fetchDefaults.maxRedirects))
      throw new TargetError('there are too many redirects');
    const next = readRedirect(location, url);
    if (url.protocol === 'https:' && next.protocol === 'http:') notes.push('a redirect led from https to http');
    if (next.origin !== url.origin && withoutSecrets(headers).size < headers.size) {
      headers = withoutSecrets(headers);
      notes.push('headers that prove who asks were not sent to another origin');
    }
    if (status === 303 || (method === 'POST' && status <= 302)) {
      method = 'GET';
      body = undefined;
    }
    url = next;
  }
}

/** Where the server sends us is its doing, not the caller's. */
function readRedirect(location: string, base: URL): URL {
  try {
    return readUrl(location.trim(), base);
  } catch (cause) {
    throw new TargetError(`a redirect leads to something that is not fetched: ${shown(location)}`, { cause });
  }
}

async function take(order: FetchOrder, arrival: Arrival, maxBytes: number): Promise<FetchResult> {
  const { url, response, address, redirects, notes } = arrival;
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw new TargetError(`the server answered with status ${status}`);
  const received = await receiveBody(response, order.sink, maxBytes);
  await order.sink.close();
  const encoding = response.headers['content-encoding'];
  const isEncoded = encoding !== undefined && encoding !== 'identity';
  return {
    finalUrl: url.href,
    status,
    headers: keptHeaders(response.headers),
    ...received,
    address: address.address,
    redirects,
    suggestedName: suggestName(url, response.headers['content-disposition']),
    isCertificateIgnored: order.isCertificateIgnored === true && url.protocol === 'https:',
    notes: [...notes, ...(isEncoded ? [`the bytes are as served, encoded as ${shown(encoding)}`] : [])],
  };
}
