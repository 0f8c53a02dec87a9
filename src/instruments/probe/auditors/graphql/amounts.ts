import { asArray, asObject, isObject } from '../../../../base/json-shape.ts';
import { showExchange } from '../client/index.ts';
import { exchangeOf, type GraphqlInquiry, hasTypeName, postJson, speak } from './speak.ts';

/** How much of the same fits into one request: aliases, operations, directives. All of it asks for __typename only. */

const aliases = 100;
const batches = [2, 10] as const;
const directives = 60;

export async function checkAliases(inquiry: GraphqlInquiry): Promise<void> {
  const fields = Array.from({ length: aliases }, (_, index) => `a${index}:__typename`);
  const spoken = await speak(inquiry, `query{${fields.join(' ')}}`);
  const answered = Object.values(spoken?.data ?? {}).filter((value) => typeof value === 'string').length;
  if (spoken === null || answered < aliases) return;
  inquiry.claim({
    rule: 'alias-overloading',
    at: inquiry.input.url,
    detail: `One query with ${aliases} aliases of the same field was answered ${answered} times.`,
    evidence: showExchange(spoken.request, spoken.answer, { bodyBytes: 200 }),
    repro: spoken.request,
  });
}

export async function checkBatching(inquiry: GraphqlInquiry): Promise<void> {
  let most = 0;
  for (const count of batches) {
    const operations = Array.from({ length: count }, () => ({ query: 'query{__typename}' }));
    const spoken = await exchangeOf(inquiry, postJson(inquiry.input.url, operations));
    if (spoken === null) return;
    const executed = asArray(spoken.value).filter((each) => {
      const { data } = asObject(each);
      return isObject(data) && hasTypeName(data);
    }).length;
    if (executed < count) break;
    most = count;
    if (count !== batches.at(-1)) continue;
    inquiry.claim({
      rule: 'array-batching',
      at: inquiry.input.url,
      detail: `An array of ${count} operations in one request was executed ${executed} times.`,
      evidence: showExchange(spoken.request, spoken.answer, { bodyBytes: 300 }),
      repro: spoken.request,
    });
  }
  if (most > 0) inquiry.fact('batching', most);
}

/** Unknown directives: a server without a limit complains about each of them. */
export async function checkDirectives(inquiry: GraphqlInquiry): Promise<void> {
  const spoken = await speak(inquiry, `query{__typename ${'@hc '.repeat(directives).trim()}}`);
  if (spoken === null || (spoken.errors.length < directives && !hasTypeName(spoken.data))) return;
  inquiry.claim({
    rule: 'directive-overloading',
    at: inquiry.input.url,
    detail: hasTypeName(spoken.data)
      ? `A field with ${directives} directives was executed.`
      : `A field with ${directives} directives was judged directive by directive, with ${spoken.errors.length} errors in one answer.`,
    evidence: showExchange(spoken.request, spoken.answer, { bodyBytes: 200 }),
    repro: spoken.request,
  });
}
