import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../base/json-shape.ts';
import { showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import { type Access, leave } from './access.ts';
import { isStream } from './messages.ts';
import type { McpRule } from './rules.ts';
import { judgeSessionIds, maskId } from './session-ids.ts';
import { masked, showAgain } from './show-again.ts';
import { call, confirm, endOf, endSession, greet, type Heard, isGreeted, type McpInquiry, streamMs } from './talk.ts';

/** What a session id is worth. Every check opens its own session and leaves it. */

const idsCompared = 6;

/** An answer with a result: the request was let in. */
const isIn = (heard: Heard | null): heard is Heard & { readonly result: JsonObject } => heard?.result !== undefined;

/** `repro` is the request itself where its session id is made up, and as good as any other. */
function claimHeard(
  inquiry: McpInquiry,
  rule: McpRule,
  detail: string,
  { request, answer }: Heard,
  repro: string | AuditRequest = request,
): void {
  const evidence = showExchange(masked(request), answer, { bodyBytes: 150 });
  inquiry.claim({ rule, at: inquiry.input.url, detail, evidence, repro });
}

async function openSession(inquiry: McpInquiry, { usual }: Access): Promise<Heard | null> {
  const heard = await greet(inquiry, { ...usual, session: undefined });
  if (!isGreeted(heard) || heard.session === undefined) return null;
  await confirm(inquiry, { ...usual, session: heard.session });
  return heard;
}

async function checkIds(inquiry: McpInquiry, access: Access): Promise<void> {
  const opened: Heard[] = [];
  for (let count = 0; count < idsCompared; count += 1) {
    const heard = await greet(inquiry, { ...access.usual, session: undefined });
    if (isGreeted(heard) && heard.session !== undefined) opened.push(heard);
  }
  const ids = [
    ...(access.session === undefined ? [] : [access.session]),
    ...opened.flatMap(({ session }) => session ?? []),
  ];
  const judgement = judgeSessionIds(ids);
  const [shown] = opened;
  if (judgement !== null && shown !== undefined) {
    inquiry.claim({
      rule: 'weak-session-id',
      at: inquiry.input.url,
      detail: `${ids.length} sessions were opened: ${judgement}.`,
      evidence: ids.map(maskId).join('\n'),
      repro: shown.request,
    });
  }
  for (const heard of opened) await leave(inquiry, heard, access.usual);
}

async function checkUnknown(inquiry: McpInquiry, { usual }: Access): Promise<void> {
  const unknown = await call(inquiry, 'tools/list', {}, { ...usual, session: randomUUID() });
  if (isIn(unknown)) {
    claimHeard(
      inquiry,
      'unknown-session-accepted',
      'tools/list with a random session id is answered instead of refused with 404.',
      unknown,
    );
  }
  const missing = await call(inquiry, 'tools/list', {}, { ...usual, session: undefined });
  if (isIn(missing)) {
    claimHeard(
      inquiry,
      'session-not-required',
      'tools/list without a session id is answered instead of refused with 400.',
      missing,
    );
  }
}

async function checkFixation(inquiry: McpInquiry, { usual }: Access): Promise<void> {
  const chosen = randomUUID();
  const heard = await greet(inquiry, { ...usual, session: chosen });
  if (isGreeted(heard) && heard.session === chosen) {
    claimHeard(
      inquiry,
      'session-fixation',
      'initialize with a session id of our own opens a session with exactly this id.',
      heard,
    );
  }
  await leave(inquiry, heard, usual);
}

async function checkCredential(inquiry: McpInquiry, access: Access): Promise<void> {
  if (access.isOpen) return;
  const heard = await call(inquiry, 'tools/list', {}, { ...access.usual, isAuthenticated: false });
  if (!isIn(heard)) return;
  claimHeard(
    inquiry,
    'session-as-authentication',
    'The session was opened with the credential; tools/list with its id and without the credential is answered.',
    heard,
    showAgain(inquiry, access, heard.request),
  );
}

async function checkStream(inquiry: McpInquiry, { usual }: Access): Promise<void> {
  if (!inquiry.covers(inquiry.input.url, 'GET')) return;
  const request = {
    url: inquiry.input.url,
    method: 'GET',
    headers: { accept: 'text/event-stream', 'mcp-protocol-version': usual.era?.protocolVersion ?? '' },
    timeoutMs: streamMs,
    isAuthenticated: usual.isAuthenticated ?? true,
  };
  const answer = await inquiry.ask(request);
  if (answer === null || answer.status !== 200 || !isStream(answer)) return;
  inquiry.claim({
    rule: 'stream-without-session',
    at: inquiry.input.url,
    detail: 'A GET for events without a session id opens a stream.',
    evidence: showExchange(request, answer, { headers: ['content-type'] }),
    repro: request,
  });
}

/** Only where the server said that the session is ended: to refuse that with 405 is allowed. */
async function checkDelete(inquiry: McpInquiry, access: Access): Promise<void> {
  if (!inquiry.covers(inquiry.input.url, 'DELETE')) return;
  const heard = await openSession(inquiry, access);
  if (heard?.session === undefined) return;
  const usual = { ...access.usual, session: heard.session };
  const before = await call(inquiry, 'tools/list', {}, usual);
  const ended = await endSession(inquiry, heard.session, access.usual);
  inquiry.fact('session_delete', ended?.status ?? 'no answer');
  if (!isIn(before) || ended === null || ended.status < 200 || ended.status > 299) return;
  const after = await call(inquiry, 'tools/list', {}, usual);
  if (!isIn(after)) return;
  claimHeard(
    inquiry,
    'session-survives-delete',
    `DELETE is answered with ${ended.status}, and the session is still served.`,
    after,
    showAgain(inquiry, access, endOf(inquiry, heard.session, access.usual), after.request),
  );
}

export async function checkSessions(inquiry: McpInquiry, access: Access): Promise<void> {
  if (access.session === undefined) return;
  for (const check of [checkIds, checkUnknown, checkFixation, checkCredential, checkStream, checkDelete]) {
    await check(inquiry, access);
  }
}
