import { asObject, isObject } from '../../../../base/json-shape.ts';
import { showExchange } from '../client/index.ts';
import type { Audit, Auditor } from '../contract.ts';
import { Inquiry, runPhases } from '../inquiry/inquiry.ts';
import { checkAliases, checkBatching, checkDirectives } from './amounts.ts';
import { checkDepth } from './depth.ts';
import { checkErrors, checkSuggestions } from './errors.ts';
import { checkIntrospection, type Schema } from './introspection.ts';
import { checkPages } from './pages.ts';
import { graphqlGroup, graphqlRules } from './rules.ts';
import { type GraphqlInquiry, hasTypeName, speak } from './speak.ts';
import { checkTransport } from './transport.ts';

const mostRequests = 80;

/** Many APIs list their errors like GraphQL does; these say that the query itself was never looked at. */
const elsewhere: ReadonlySet<number> = new Set([404, 405, 410, 429, 501, 502, 503]);

/** A 401 or an error of the language tells as well that somebody listens there; whatever else is no GraphQL. */
async function isThere(inquiry: GraphqlInquiry): Promise<boolean> {
  const spoken = await speak(inquiry, 'query{__typename}');
  if (spoken === null) return false;
  const isAnswered = hasTypeName(spoken.data);
  const isError = spoken.errors.some(({ message }) => typeof message === 'string');
  const isGraphql = isAnswered || (isError && !elsewhere.has(spoken.answer.status));
  inquiry.fact('graphql', { is_graphql: isGraphql, status: spoken.answer.status, executes: isAnswered });
  if (!isGraphql) {
    inquiry.note(`no GraphQL there: a query is answered with ${spoken.answer.status} and no data`);
    return false;
  }
  const extensions = asObject(asObject(spoken.value).extensions);
  if (isObject(extensions.tracing)) {
    inquiry.claim({
      rule: 'tracing',
      at: inquiry.input.url,
      detail: 'The answer to a plain query has extensions.tracing.',
      evidence: showExchange(spoken.request, spoken.answer, { bodyBytes: 300 }),
      repro: spoken.request,
    });
  }
  return true;
}

export const graphqlAuditor: Auditor = {
  name: 'graphql',
  async run(audit: Audit): Promise<void> {
    const inquiry: GraphqlInquiry = new Inquiry(audit, { group: graphqlGroup, rules: graphqlRules, mostRequests });
    let schema: Schema | null = null;
    let isGraphql = false;
    const when = (run: () => Promise<void>) => async (): Promise<void> => (isGraphql ? await run() : undefined);
    await runPhases(inquiry, [
      {
        name: 'is it GraphQL',
        run: async () => {
          isGraphql = await isThere(inquiry);
        },
      },
      {
        name: 'introspection',
        run: when(async () => {
          schema = await checkIntrospection(inquiry);
          if (schema === null) await checkSuggestions(inquiry);
        }),
      },
      { name: 'depth', run: when(() => checkDepth(inquiry, schema)) },
      { name: 'aliases', run: when(() => checkAliases(inquiry)) },
      { name: 'batching', run: when(() => checkBatching(inquiry)) },
      { name: 'directives', run: when(() => checkDirectives(inquiry)) },
      { name: 'other ways in', run: when(() => checkTransport(inquiry)) },
      { name: 'errors', run: when(() => checkErrors(inquiry)) },
      { name: 'pages', run: () => checkPages(inquiry) },
    ]);
  },
};
