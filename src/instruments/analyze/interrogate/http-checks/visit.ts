import type { CallResult, ClientIdentity } from '../../../../targets/conversation/contract.ts';
import { openHttpConversation, type RequestFunction } from '../../../../targets/conversation/index.ts';
import { type Exchange, recorded } from './exchange.ts';

/** A whole conversation under other headers: a handshake, a listing and, where one is given, an honest call. */

export interface VisitOptions {
  readonly url: URL;
  readonly request: RequestFunction;
  readonly identity: ClientIdentity;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocolVersion?: string;
  readonly call?: { readonly tool: string; readonly input: unknown };
  readonly timeoutMs: number;
}

export interface Visit {
  readonly hasAgreed: boolean;
  readonly version: string | null;
  /** Tools, prompts and resources that it told us about. */
  readonly listed: number;
  readonly call: CallResult | null;
  readonly exchanges: readonly Exchange[];
}

const limits = { endpointMs: 3000, closeMs: 500, pages: 3, entries: 500 } as const;

export async function visit(options: VisitOptions): Promise<Visit> {
  const { url, identity, headers = {}, protocolVersion, call: honest, timeoutMs } = options;
  const exchanges: Exchange[] = [];
  const request = recorded(options.request, headers, exchanges);
  const nothing = { hasAgreed: false, version: null, listed: 0, call: null, exchanges };
  const conversation = openHttpConversation(
    { url, request },
    { identity, timeoutMs, limits, ...(protocolVersion === undefined ? {} : { protocolVersion }) },
  );
  try {
    const handshake = await conversation.handshake().catch(() => null);
    if (handshake === null) return nothing;
    const { tools, prompts, resources } = await conversation.list();
    const listed = tools.length + prompts.length + resources.length;
    const call = honest === undefined || listed === 0 ? null : await conversation.call(honest.tool, honest.input);
    return { hasAgreed: true, version: handshake.protocolVersion, listed, call, exchanges };
  } catch {
    return nothing;
  } finally {
    await conversation.close();
  }
}
