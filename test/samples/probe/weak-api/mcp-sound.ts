import { randomUUID } from 'node:crypto';
import { type Answer, type Asked, json, type Route, readJson } from './exchange.ts';
import type { Claims } from './jwt.ts';
import { readMessage } from './mcp-answers.ts';
import { weakMcp } from './planted.ts';

/** The name in a Host header or an Origin, without its port. */
const hostOf = (address: string): string => URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? '';

const mostSessions = 100;

/** Only with a token, only as itself, with sessions that cannot be guessed and belong to who opened them. */
export function soundMcpRoutes(hosts: readonly string[], check: (asked: Asked) => Claims | null): readonly Route[] {
  const owners = new Map<string, unknown>();
  const refuse = (asked: Asked): Answer | null => {
    const { host = '', origin } = asked.headers;
    if (!hosts.includes(hostOf(`http://${host}`))) return json(421, { error: 'this is another host' });
    if (origin !== undefined && !hosts.includes(hostOf(origin))) return json(403, { error: 'no such origin' });
    if (check(asked) === null) {
      return json(401, { error: 'a valid token is needed' }, { 'www-authenticate': 'Bearer' });
    }
    return null;
  };
  const isOwn = (asked: Asked): boolean => {
    const session = String(asked.headers['mcp-session-id'] ?? '');
    return owners.has(session) && owners.get(session) === check(asked)?.sub;
  };
  const post = (asked: Asked): Answer => {
    const message = readMessage(readJson(asked.body));
    if (message === null) return json(400, { error: 'no message' });
    if (message.method === 'initialize') {
      const session = randomUUID();
      owners.set(session, check(asked)?.sub);
      for (const oldest of owners.keys()) if (owners.size > mostSessions) owners.delete(oldest);
      return json(200, message.reply(), { 'mcp-session-id': session });
    }
    if (asked.headers['mcp-session-id'] === undefined) return json(400, { error: 'a session is needed' });
    if (!isOwn(asked)) return json(404, { error: 'no such session' });
    return message.isNotification ? { status: 202 } : json(200, message.reply());
  };
  const end = (asked: Asked): Answer => {
    if (!isOwn(asked)) return json(404, { error: 'no such session' });
    owners.delete(String(asked.headers['mcp-session-id']));
    return { status: 204 };
  };
  return [
    { method: 'POST', path: weakMcp.path, handle: (asked) => refuse(asked) ?? post(asked) },
    { method: 'DELETE', path: weakMcp.path, handle: (asked) => refuse(asked) ?? end(asked) },
  ];
}
