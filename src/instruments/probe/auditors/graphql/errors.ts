import { asObject, asString } from '../../../../base/json-shape.ts';
import { quoteText, showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import { findTrace } from '../inquiry/traces.ts';
import { exchangeOf, type GraphqlInquiry, postJson, type Spoken, speak } from './speak.ts';

/** What errors give away. */

/** Of a field, an argument, a type: every one is close to a name that the language itself has, or that many schemas have. */
const nearMisses = [
  'query{__type(nam:"String"){name}}',
  'query($a:Strin){__typename @skip(if:$a)}',
  'query{usr usrs usser mee nodde viewr serch prodct prodcts ordr ordrs acount acounts pst psts itm itms versin helth statu}',
] as const;

const suggestion = /did you mean/i;
/** Keys of an error's extensions that only a debug mode fills. */
const debugKeys = ['stacktrace', 'stackTrace', 'exception', 'debugMessage', 'trace', 'debug', 'file'] as const;

export async function checkSuggestions(inquiry: GraphqlInquiry): Promise<void> {
  for (const query of nearMisses) {
    const spoken = await speak(inquiry, query);
    const told = spoken?.errors.map(({ message }) => asString(message) ?? '').find((text) => suggestion.test(text));
    if (spoken === null || told === undefined) continue;
    inquiry.claim({
      rule: 'suggestions',
      at: inquiry.input.url,
      detail: 'Introspection is refused, but a name that is nearly right is corrected by the error message.',
      evidence: `${showExchange(spoken.request, spoken.answer)}: ${quoteText(told, 300)}`,
      repro: spoken.request,
    });
    return;
  }
}

function brokenRequests(url: string): readonly AuditRequest[] {
  const json = { 'content-type': 'application/json' };
  return [
    postJson(url, { query: 'query{' }),
    postJson(url, { query: 'query{hotcellNoSuchField}' }),
    postJson(url, { query: 'query($a:Int){__typename}', variables: { a: 'not a number' } }),
    postJson(url, { query: 5 }),
    postJson(url, { query: 'query{__typename}', variables: 'text' }),
    { url, method: 'POST', headers: json, body: '{"query":' },
  ];
}

function debugPart({ errors }: Spoken): string | null {
  for (const error of errors) {
    const extensions = asObject(error.extensions);
    const key = debugKeys.find((each) => {
      const value = extensions[each] ?? (each === 'debugMessage' || each === 'trace' ? error[each] : undefined);
      return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
    });
    if (key !== undefined) return `extensions.${key}`;
  }
  return null;
}

export async function checkErrors(inquiry: GraphqlInquiry): Promise<void> {
  for (const request of brokenRequests(inquiry.input.url)) {
    const spoken = await exchangeOf(inquiry, request);
    if (spoken === null) continue;
    const trace = findTrace(spoken.answer.body);
    const part = trace === null ? debugPart(spoken) : trace.text;
    if (part === null) continue;
    inquiry.claim({
      rule: 'stack-trace',
      at: inquiry.input.url,
      detail:
        trace === null
          ? 'The error of a broken request carries fields of a debug mode.'
          : trace.kind === 'stack'
            ? `The error of a broken request carries a stack trace of ${trace.runtime}.`
            : 'The error of a broken request carries a path of the server.',
      evidence: `${showExchange(spoken.request, spoken.answer)}: ${quoteText(part, 300)}`,
      repro: spoken.request,
      ...(trace?.kind === 'path' ? { severity: 'low' as const } : {}),
    });
    return;
  }
}
