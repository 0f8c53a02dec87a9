import type { AuditRequest } from '../contract.ts';
import type { Access } from './access.ts';
import { maskId } from './session-ids.ts';
import type { McpInquiry } from './talk.ts';

/** Requests of a session, for others: its id is over by then and nobody's business, so a command opens one of its own. */

const header = 'mcp-session-id';

function withSession(request: AuditRequest, text: string): AuditRequest {
  return { ...request, headers: { ...request.headers, [header]: text } };
}

/** For evidence. */
export function masked(request: AuditRequest): AuditRequest {
  const session = request.headers?.[header];
  return session === undefined ? request : withSession(request, maskId(session));
}

/** Commands for a shell that open a session as `hello` did and send the requests in it, one after the other. */
export function showAgain(
  inquiry: McpInquiry,
  { hello }: Pick<Access, 'hello'>,
  ...requests: readonly AuditRequest[]
): string {
  const commands = requests.map((request) => {
    if (request.headers?.[header] === undefined) return inquiry.commandOf(request);
    const command = inquiry.commandOf(withSession(request, '$session'));
    return command.replace(`'${header}: $session'`, `"${header}: $session"`);
  });
  const isInSession = requests.some(({ headers }) => headers?.[header] !== undefined);
  const open = inquiry.commandOf(hello.request);
  const all = [
    ...(isInSession ? [`session=$(${open} | tr -d '\\r' | awk 'tolower($1) == "${header}:" {print $2}')`] : []),
    ...commands,
  ];
  return [open, ...commands].includes('') ? '' : all.join('; ');
}
