import { asArray, asObject, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import { jsonOf } from '../inquiry/answer.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import type { GraphqlRule } from './rules.ts';

/** One operation, in each of the forms that servers take, and what came back. */

export type GraphqlInquiry = Inquiry<GraphqlRule>;

export type Form = 'json' | 'get' | 'form' | 'text';

export interface Spoken {
  readonly request: AuditRequest;
  readonly answer: AuditAnswer;
  readonly value: unknown;
  /** Undefined where the answer has none. */
  readonly data: JsonObject | undefined;
  readonly errors: readonly JsonObject[];
}

export interface SpeakOptions {
  readonly form?: Form;
  readonly isAuthenticated?: boolean;
}

const accept = 'application/graphql-response+json, application/json;q=0.9';

function carrier(url: string, query: string, form: Form): AuditRequest {
  if (form === 'get') {
    const aimed = new URL(url);
    aimed.searchParams.set('query', query);
    return { url: aimed.href, method: 'GET', headers: { accept } };
  }
  if (form === 'form') {
    const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' };
    return { url, method: 'POST', headers, body: new URLSearchParams({ query }).toString() };
  }
  const type = form === 'text' ? 'text/plain' : 'application/json';
  return { url, method: 'POST', headers: { accept, 'content-type': type }, body: JSON.stringify({ query }) };
}

export function postJson(url: string, value: unknown): AuditRequest {
  return {
    url,
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}

function hear(request: AuditRequest, answer: AuditAnswer): Spoken {
  const value = jsonOf(answer);
  const { data, errors } = asObject(value);
  return { request, answer, value, data: isObject(data) ? data : undefined, errors: asArray(errors).filter(isObject) };
}

export async function exchangeOf(inquiry: GraphqlInquiry, request: AuditRequest): Promise<Spoken | null> {
  const answer = await inquiry.ask(request);
  return answer === null ? null : hear(request, answer);
}

export async function speak(
  inquiry: GraphqlInquiry,
  query: string,
  { form = 'json', isAuthenticated }: SpeakOptions = {},
): Promise<Spoken | null> {
  const request = carrier(inquiry.input.url, query, form);
  return await exchangeOf(inquiry, isAuthenticated === undefined ? request : { ...request, isAuthenticated });
}

/** That the operation was executed, and not only understood. */
export function hasTypeName(data: JsonObject | undefined): boolean {
  return typeof data?.__typename === 'string';
}
