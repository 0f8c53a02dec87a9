import { quoteText, showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import { findTrace } from '../inquiry/traces.ts';
import type { Access } from './access.ts';
import { showAgain } from './show-again.ts';
import { call, type McpInquiry, post } from './talk.ts';

/** Input that a server has to refuse, and what its refusals say. */

const idLength = 100_000;
const versionWithoutBatches = '2025-06-18';

export async function checkVersion(inquiry: McpInquiry, access: Access): Promise<void> {
  const heard = await call(inquiry, 'tools/list', {}, { ...access.usual, versionHeader: 'hotcell-0' });
  if (heard?.result === undefined) return;
  inquiry.claim({
    rule: 'protocol-version-unchecked',
    at: inquiry.input.url,
    detail: 'tools/list with the protocol version "hotcell-0" is answered instead of refused with 400.',
    evidence: showExchange({ ...heard.request, headers: { 'mcp-protocol-version': 'hotcell-0' } }, heard.answer),
    repro: showAgain(inquiry, access, heard.request),
  });
}

/** The headers of a proper request, for a body that is none. */
function usualHeaders({ usual }: Access): Readonly<Record<string, string>> {
  return {
    'mcp-protocol-version': usual.era?.protocolVersion ?? '',
    ...(usual.session === undefined ? {} : { 'mcp-session-id': usual.session }),
  };
}

export async function checkBatch(inquiry: McpInquiry, access: Access): Promise<void> {
  if (access.era.isModern || access.era.protocolVersion < versionWithoutBatches) return;
  const pings = ['b1', 'b2'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const heard = await post(inquiry, pings, { ...access.usual, headers: usualHeaders(access), id: 'b1' });
  const answered =
    heard?.messages.filter(({ id, result }) => (id === 'b1' || id === 'b2') && result !== undefined) ?? [];
  if (heard === null || answered.length < pings.length) return;
  inquiry.claim({
    rule: 'batch-accepted',
    at: inquiry.input.url,
    detail: `An array of two pings is answered in version ${quoteText(access.era.protocolVersion, 40)}.`,
    evidence: showExchange({ ...heard.request, headers: {} }, heard.answer, { bodyBytes: 200 }),
    repro: showAgain(inquiry, access, heard.request),
  });
}

/** The id is made by the shell: as a word of the command it would be too long to be shown. */
function longIdAgain(inquiry: McpInquiry, access: Access, request: AuditRequest): string {
  const text = typeof request.body === 'string' ? request.body : '';
  const format = text.replaceAll('%', '%%').replace('h'.repeat(idLength), `%0${idLength}d`);
  const command = showAgain(inquiry, access, { ...request, body: '@-' }).replace('--data-raw @-', '--data-binary @-');
  const last = command.lastIndexOf('curl ');
  return last === -1 ? '' : `${command.slice(0, last)}printf '${format}' 0 | ${command.slice(last)}`;
}

export async function checkLongId(inquiry: McpInquiry, access: Access): Promise<void> {
  const id = 'h'.repeat(idLength);
  const heard = await call(inquiry, 'tools/list', {}, { ...access.usual, id });
  if (heard === null || !heard.messages.some((message) => message.id === id)) return;
  const short = {
    ...heard.request,
    headers: {},
    body: `{"jsonrpc":"2.0","id":"${'h'.repeat(20)}…","method":"tools/list"}`,
  };
  inquiry.claim({
    rule: 'oversized-id',
    at: inquiry.input.url,
    detail: `A request id of ${idLength} characters comes back whole.`,
    evidence: showExchange(short, heard.answer),
    repro: longIdAgain(inquiry, access, heard.request),
  });
}

const broken: readonly { readonly what: string; readonly body: unknown }[] = [
  { what: 'half a message', body: '{"jsonrpc":"2.0","id":1,"method":' },
  { what: 'no object', body: '5' },
  { what: 'an unknown method', body: { jsonrpc: '2.0', id: '1', method: 'hotcell/none' } },
  { what: 'parameters that are a number', body: { jsonrpc: '2.0', id: '1', method: 'tools/list', params: 5 } },
  {
    what: 'a cursor that is an object',
    body: { jsonrpc: '2.0', id: '1', method: 'tools/list', params: { cursor: {} } },
  },
  { what: 'a prompt without a name', body: { jsonrpc: '2.0', id: '1', method: 'prompts/get', params: { name: 5 } } },
];

export async function checkErrors(inquiry: McpInquiry, access: Access): Promise<void> {
  for (const { what, body } of broken) {
    const heard = await post(inquiry, body, { ...access.usual, headers: usualHeaders(access) });
    const trace = heard === null ? null : findTrace(heard.answer.body);
    if (heard === null || trace === null) continue;
    inquiry.claim({
      rule: 'stack-trace',
      at: inquiry.input.url,
      detail: `The answer to ${what} carries ${trace.kind === 'stack' ? `a stack trace of ${trace.runtime}` : 'a path of the server'}.`,
      evidence: `${showExchange({ ...heard.request, headers: {} }, heard.answer)}\n${quoteText(trace.text, 300)}`,
      repro: showAgain(inquiry, access, heard.request),
      ...(trace.kind === 'path' ? { severity: 'low' as const } : {}),
    });
    return;
  }
}
