import type { Finding } from '../../../../base/finding-schema.ts';
import type { ClientIdentity } from '../../../../targets/conversation/contract.ts';
import type { Endpoint, RequestFunction } from '../../../../targets/conversation/index.ts';
import type { Bench } from './bench.ts';

/** What a server that listens for HTTP lets strangers do: asked from outside, with requests that do no harm. */

export interface HttpTarget {
  /** Where the server is; the path is the endpoint's. */
  readonly url: URL;
  readonly request: RequestFunction;
  /** The same way without the user's headers. Default: `request`, for servers in a box have no credential of ours. */
  readonly anonymous?: RequestFunction;
  readonly endpoint: Endpoint;
  readonly identity: ClientIdentity;
  /** A call with honest arguments that was answered before. It is made once more, and never to a remote server. */
  readonly honestCall?: { readonly tool: string; readonly input: unknown };
  /** Addresses that the target's own processes bound, see `bindAddressesOf`. Empty: not known. */
  readonly bindAddresses: readonly string[];
  readonly isRemote: boolean;
}

export interface CheckOutcome {
  readonly findings: readonly Finding[];
  /** Why nothing, or not everything, was looked at. */
  readonly notChecked?: string;
}

/** One file, and one line in the list of `index.ts`. */
export interface HttpCheck {
  readonly id: string;
  readonly title: string;
  /** May be done to a server of somebody else: few small requests that any client could make. */
  readonly isGentle: boolean;
  /**
   * What must be so for silence to mean something. `plain`: a client without credential is served. `initialize`: so it is
   * in single exchanges too, as in all versions before 2026 but the oldest form.
   */
  readonly needs: 'nothing' | 'plain' | 'initialize';
  run(bench: Bench): Promise<CheckOutcome>;
}

export interface HttpReport {
  readonly findings: readonly Finding[];
  readonly notChecked: readonly { readonly check: string; readonly because: string }[];
  readonly requests: number;
}
