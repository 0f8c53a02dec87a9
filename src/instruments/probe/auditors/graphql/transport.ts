import { showExchange } from '../client/index.ts';
import type { GraphqlRule } from './rules.ts';
import { type Form, type GraphqlInquiry, hasTypeName, speak } from './speak.ts';

/** Ways in besides a POST of JSON. A mutation asks for its type name only, so nothing changes. */

const ways: readonly {
  readonly rule: GraphqlRule;
  readonly form: Form;
  readonly query: string;
  readonly detail: string;
}[] = [
  { rule: 'get-queries', form: 'get', query: 'query{__typename}', detail: 'A query in the URL of a GET is executed.' },
  {
    rule: 'get-mutations',
    form: 'get',
    query: 'mutation{__typename}',
    detail: 'An operation of the kind mutation in the URL of a GET is executed.',
  },
  {
    rule: 'simple-content-type',
    form: 'form',
    query: 'query{__typename}',
    detail:
      'A query in a form (application/x-www-form-urlencoded) is executed: a web page can send it with the cookies of its visitor.',
  },
  {
    rule: 'simple-content-type',
    form: 'text',
    query: 'query{__typename}',
    detail: 'JSON that is sent as text/plain is executed: a web page can send it with the cookies of its visitor.',
  },
];

export async function checkTransport(inquiry: GraphqlInquiry): Promise<void> {
  for (const { rule, form, query, detail } of ways) {
    const spoken = await speak(inquiry, query, { form });
    if (spoken === null || !hasTypeName(spoken.data)) continue;
    inquiry.claim({
      rule,
      at: inquiry.input.url,
      detail,
      evidence: showExchange(spoken.request, spoken.answer, { bodyBytes: 200 }),
      repro: spoken.request,
    });
  }
}
