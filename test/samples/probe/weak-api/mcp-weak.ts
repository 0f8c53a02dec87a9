import { json, type Route, readJson } from './exchange.ts';
import { readMessage } from './mcp-answers.ts';
import { weakMcp } from './planted.ts';

/** Asks nobody who they are, looks at neither Host nor Origin, counts its sessions, and takes any id for one. */
export function weakMcpRoutes(): readonly Route[] {
  let sessions = 0;
  return [
    {
      method: 'POST',
      path: weakMcp.path,
      handle: ({ body }) => {
        const message = readMessage(readJson(body));
        if (message === null) {
          return json(400, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid Request' } });
        }
        if (message.isNotification) return { status: 202 };
        if (message.method !== 'initialize') return json(200, message.reply());
        sessions += 1;
        return json(200, message.reply(), { 'mcp-session-id': `session-${sessions}` });
      },
    },
    { method: 'DELETE', path: weakMcp.path, handle: () => ({ status: 200 }) },
  ];
}
