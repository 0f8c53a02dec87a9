import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerFactory, ServerNeed } from '../build-server.ts';
import type { RefusalId } from './answers.ts';
import type { HttpLimits } from './limits.ts';
import { Sessions } from './sessions.ts';

/**
 * One address for every era: a request of 2026-07-28 carries all it needs; an older client gets a session when it
 * introduces itself, and is served without one when it does not.
 */

export interface Exchange {
  readonly request: Request;
  readonly body: unknown;
  readonly client: string;
  /** Called when the answer has been sent or the client has gone. */
  readonly onEnd: (listener: () => void) => void;
}

export interface Protocol {
  readonly sessions: Sessions;
  answer(exchange: Exchange): Promise<Response | RefusalId>;
  close(): Promise<void>;
}

/** The SDK hands this on to whoever makes the server: the only way for what we know to get there. */
function introduce(client: string, need?: ServerNeed): AuthInfo {
  return { token: '', clientId: client, scopes: [], ...(need === undefined ? {} : { extra: { need } }) };
}

const messageSchema = z.object({
  method: z.string(),
  params: z.object({ name: z.string().optional() }).optional(),
});

/** Most requests are one call of one tool: no server with all tools has to be made for that. */
function needOf(body: unknown): ServerNeed | undefined {
  const message = messageSchema.safeParse(body).data;
  return message === undefined ? undefined : { method: message.method, name: message.params?.name ?? null };
}

export interface ProtocolOptions {
  readonly makeServer: ServerFactory;
  readonly limits: HttpLimits;
  readonly onError: (error: Error) => void;
}

export function openProtocol({ makeServer, limits, onError }: ProtocolOptions): Protocol {
  const factory = ({ authInfo }: { readonly authInfo?: AuthInfo }) =>
    makeServer(authInfo?.clientId ?? 'unknown', authInfo?.extra?.need as ServerNeed | undefined);
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    onerror: onError,
    maxSubscriptions: limits.requests.inAll,
  });
  const stateless = legacyStatelessFallback(factory, onError);
  const { sessions: share, sessionIdleMs: idleMs } = limits;
  const sessions = new Sessions({ makeServer, share, idleMs, onError });

  const answerInSession = async (exchange: Exchange, id: string | null): Promise<Response | RefusalId> => {
    const { request, body: parsedBody, client, onEnd } = exchange;
    const session = id === null ? await sessions.open(client) : sessions.find(id);
    if (session === null) return id === null ? 'sessions' : 'session';
    onEnd(sessions.use(session));
    const answer = await session.transport.handleRequest(request, { parsedBody, authInfo: introduce(client) });
    // Whoever could not even introduce itself leaves no session behind.
    if (id === null && !answer.ok) await sessions.closeSession(session);
    return answer;
  };

  return {
    sessions,
    answer: async (exchange) => {
      const { request, body: parsedBody, client } = exchange;
      const options = { parsedBody, authInfo: introduce(client, needOf(parsedBody)) };
      if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, options);
      const id = request.headers.get('mcp-session-id');
      if (id !== null || isInitializeRequest(parsedBody)) return answerInSession(exchange, id);
      return stateless(request, options);
    },
    close: async () => {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
