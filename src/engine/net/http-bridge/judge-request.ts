import { TargetError } from '../../../base/errors.ts';
import { type BridgeEnds, bridgeRefusal } from '../egress/bridge.ts';
import { isSameHost } from '../egress/greeting.ts';
import type { BridgedRequest, HttpBridgeOptions } from './contract.ts';
import { methodsOf, pathsOf } from './overrides.ts';
import type { RequestHead } from './request-head.ts';

export interface RequestWay extends Pick<BridgeEnds, 'host' | 'port' | 'address'> {
  readonly isTls: boolean;
  readonly serverName: string | null;
}

/** They have the target send back what it got. */
const echoes: ReadonlySet<string> = new Set(['TRACE', 'TRACK']);

function object(request: BridgedRequest, head: RequestHead, options: HttpBridgeOptions): string | null {
  const { serverName, authority } = request;
  if (serverName !== null && !isSameHost(serverName, authority.host)) return 'another host than that of the TLS hello';
  for (const method of methodsOf(head)) {
    if (echoes.has(method) && options.inject != null) return `${method} with a credential`;
    const objection = options.judge({ ...request, method });
    if (objection !== null) return objection;
  }
  return null;
}

/** Throws a TargetError when it may not pass. */
export function judgeRequest(head: RequestHead, way: RequestWay, options: HttpBridgeOptions): BridgedRequest {
  const { method, target, authority } = head;
  const { isTls, serverName, host, port, address } = way;
  const paths = pathsOf(head);
  const request: BridgedRequest = { method, target, paths, authority, isTls, serverName, host, port, address };
  const because = object(request, head, options);
  if (because === null) return request;
  options.onRequest?.(request, { is: 'refused', because });
  throw new TargetError(`${bridgeRefusal}${because}`);
}
