import { TargetError } from '../../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import type { ClientIdentity } from '../../../../targets/conversation/contract.ts';
import {
  type DrivenConversation,
  type DriveOptions,
  discoverEndpoint,
  type Endpoint,
  type HttpEnds,
  makeRequest,
  openHttpConversation,
  type RequestFunction,
  usualPaths,
} from '../../../../targets/conversation/index.ts';
import type { HttpTarget } from '../http-checks/index.ts';
import { readRemoteHeaders, readRemoteUrl } from './address.ts';
import { type RemoteConsent, type RemoteStep, remoteSteps } from './consent.ts';
import { politely } from './polite-request.ts';

/** A server that runs somewhere else: it is asked, and nothing of it is seen but its answers. */

export interface RemoteOptions extends RemoteConsent {
  readonly identity: ClientIdentity;
  readonly conversation?: Omit<DriveOptions, 'identity'>;
  readonly tap?: HttpEnds['tap'];
  /** For finding out where it answers. */
  readonly discoverMs?: number;
  readonly gapMs?: number;
  readonly requests?: number;
}

export interface RemoteServer extends AsyncDisposable {
  /** With the path of the endpoint. */
  readonly url: URL;
  readonly endpoint: Endpoint;
  readonly conversation: DrivenConversation;
  /** With the headers of the user; and without. */
  readonly request: RequestFunction;
  readonly anonymous: RequestFunction;
  readonly steps: readonly RemoteStep[];
  /** For `runHttpChecks`. */
  readonly httpTarget: HttpTarget;
  /** Where it wanted to send us, and we did not go. */
  readonly strayed: readonly string[];
  close(): Promise<void>;
}

const defaultGapMs = 100;
const defaultRequests = 5000;
const mostStrayed = 8;

/** The user's own path alone; where there is none, the usual ones. */
function pathsOf({ pathname, search }: URL): readonly string[] {
  return pathname === '/' && search === '' ? usualPaths : [`${pathname}${search}`];
}

/** Rejects with a UsageError for an address or a header that is none, and with a TargetError where nothing speaks MCP. */
export async function openRemote(
  address: string | URL,
  given: Readonly<Record<string, string>>,
  options: RemoteOptions,
): Promise<RemoteServer> {
  const base = readRemoteUrl(String(address));
  const headers = readRemoteHeaders(given);
  const { identity, tap, discoverMs = 10_000, gapMs = defaultGapMs, requests = defaultRequests } = options;
  const strayed: string[] = [];
  const onStrayed = (location: string): void => {
    const shown = forTerminal(untrusted(location, 300));
    if (strayed.length < mostStrayed && !strayed.includes(shown)) strayed.push(shown);
  };
  const politeness = { gapMs, requests, onStrayed };
  const request = politely(makeRequest({ url: base, headers }), base, politeness);
  const anonymous = politely(makeRequest({ url: base }), base, politeness);
  const paths = pathsOf(base);
  const endpoint = await discoverEndpoint({ identity, url: base, request, paths, timeoutMs: discoverMs });
  const shown = forTerminal(untrusted(base.href, 300));
  if (endpoint === null) {
    const why = strayed.length === 0 ? '' : `; it sends us to ${strayed.join(', ')}, where your headers do not go`;
    throw new TargetError(`remote: nothing at ${shown} speaks MCP${why}`);
  }
  if (endpoint.needsAuthorisation)
    throw new TargetError(`remote: ${shown} wants a credential`, { hint: "use --header 'Authorization: Bearer …'" });
  const url = new URL(endpoint.path, base);
  const conversation = openHttpConversation(
    { url, request, ...(tap === undefined ? {} : { tap }) },
    { ...options.conversation, identity },
  );
  const close = (): Promise<void> => conversation.close();
  return {
    ...{ url, endpoint, conversation, request, anonymous, strayed, close },
    steps: remoteSteps(options),
    httpTarget: { url, request, anonymous, endpoint, identity, bindAddresses: [], isRemote: true },
    [Symbol.asyncDispose]: close,
  };
}
