import { asObject, asString, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { secondMs } from '../../../../base/limits.ts';
import { defaultVersion, modernVersion, withEnvelope } from '../../../../targets/conversation/era.ts';
import { headerOf } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { messagesOf, replyTo } from './messages.ts';
import type { McpRule } from './rules.ts';

/** The protocol by hand: every header and field can be left out or be wrong, which no client of an SDK would do. */

export type McpInquiry = Inquiry<McpRule>;

export interface Era {
  readonly protocolVersion: string;
  /** Without sessions: every request says who asks. */
  readonly isModern: boolean;
}

export const legacyEra: Era = { protocolVersion: defaultVersion, isModern: false };
export const modernEra: Era = { protocolVersion: modernVersion, isModern: true };
const identity = { name: 'hotcell-probe', version: '1' };

/** Streams that stay open are cut by this. */
const waitMs = 4 * secondMs;
/** A stream that is opened only to see that it opens. */
export const streamMs = secondMs;

export interface CallOptions {
  readonly era?: Era;
  readonly session?: string | undefined;
  /** In place of the version that was agreed on. */
  readonly versionHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isAuthenticated?: boolean;
  readonly id?: string;
}

export interface Heard {
  readonly request: AuditRequest;
  readonly answer: AuditAnswer;
  readonly messages: readonly JsonObject[];
  /** Of the answer to our request; undefined where there is an error, or nothing. */
  readonly result: JsonObject | undefined;
  readonly error: JsonObject | undefined;
  readonly session: string | undefined;
}

export const accept = 'application/json, text/event-stream';

export async function post(
  inquiry: McpInquiry,
  body: unknown,
  { headers = {}, isAuthenticated, id = '1' }: CallOptions,
): Promise<Heard | null> {
  const request: AuditRequest = {
    url: inquiry.input.url,
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    timeoutMs: waitMs,
    ...(isAuthenticated === undefined ? {} : { isAuthenticated }),
  };
  const answer = await inquiry.ask(request);
  if (answer === null) return null;
  const messages = messagesOf(answer);
  const reply = replyTo(messages, id);
  return {
    request,
    answer,
    messages,
    result: isObject(reply?.result) ? reply.result : undefined,
    error: isObject(reply?.error) ? reply.error : undefined,
    session: headerOf(answer, 'mcp-session-id'),
  };
}

function headersFor(method: string, { era = legacyEra, session, versionHeader, headers }: CallOptions) {
  return {
    ...(method === 'initialize' && versionHeader === undefined
      ? {}
      : { 'mcp-protocol-version': versionHeader ?? era.protocolVersion }),
    ...(era.isModern ? { 'mcp-method': method } : {}),
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...headers,
  };
}

export async function call(
  inquiry: McpInquiry,
  method: string,
  params: JsonObject,
  options: CallOptions = {},
): Promise<Heard | null> {
  const { era = legacyEra, id = '1' } = options;
  const message = { jsonrpc: '2.0', id, method, params: withEnvelope(params, era, identity) };
  return await post(inquiry, message, { ...options, headers: headersFor(method, options) });
}

/** The first request of either era. */
export async function greet(inquiry: McpInquiry, options: CallOptions = {}): Promise<Heard | null> {
  const { era = legacyEra } = options;
  if (era.isModern) return await call(inquiry, 'server/discover', {}, options);
  const params = { protocolVersion: era.protocolVersion, capabilities: {}, clientInfo: identity };
  return await call(inquiry, 'initialize', params, options);
}

/** That it is a greeting back, and not just some result. */
export function isGreeted(heard: Heard | null): heard is Heard & { readonly result: JsonObject } {
  const result = heard?.result;
  if (result === undefined) return false;
  return (
    isObject(result.capabilities) ||
    typeof result.protocolVersion === 'string' ||
    Array.isArray(result.supportedVersions)
  );
}

/** Without this some servers refuse everything else. */
export async function confirm(inquiry: McpInquiry, options: CallOptions): Promise<void> {
  if (options.era?.isModern === true) return;
  const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await post(inquiry, message, { ...options, headers: headersFor('notifications/initialized', options) });
}

export function endOf(inquiry: McpInquiry, session: string, options: CallOptions = {}): AuditRequest {
  return {
    url: inquiry.input.url,
    method: 'DELETE',
    headers: headersFor('', { ...options, session }),
    timeoutMs: waitMs,
    ...(options.isAuthenticated === undefined ? {} : { isAuthenticated: options.isAuthenticated }),
  };
}

export async function endSession(inquiry: McpInquiry, session: string, options: CallOptions = {}) {
  return await inquiry.ask(endOf(inquiry, session, options));
}

export function agreedVersion(heard: Heard, era: Era): string {
  return era.isModern
    ? era.protocolVersion
    : (asString(heard.result?.protocolVersion) ?? era.protocolVersion).slice(0, 40);
}

export function serverNameOf(heard: Heard): string {
  const info = asObject(
    heard.result?.serverInfo ?? asObject(heard.result?._meta)['io.modelcontextprotocol/serverInfo'],
  );
  return `${asString(info.name) ?? ''} ${asString(info.version) ?? ''}`.trim();
}
