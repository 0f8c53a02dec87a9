import { quoteText } from '../client/index.ts';
import type { Audit, Auditor } from '../contract.ts';
import { Inquiry, runPhases } from '../inquiry/inquiry.ts';
import { type Api, type OpenapiInquiry, safeMethods, type Visited } from './api.ts';
import { takeBaseline } from './baseline.ts';
import { checkAnswers } from './check-answers.ts';
import { checkCredentials, checkUnprotectedWrites } from './check-credentials.ts';
import { checkDocument } from './check-document.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { checkInput } from './check-input.ts';
import { checkMethods } from './check-methods.ts';
import { chooseBase } from './choose-base.ts';
import { type Description, describeApi } from './description.ts';
import { findDocument } from './find-document.ts';
import { openapiLimits } from './limits.ts';
import { openapiGroup, openapiRules } from './rules.ts';
import { visitAll } from './visit.ts';

/** What deletes comes last, so that the others still find what they ask for. */
const callOrder: readonly string[] = [...safeMethods, 'POST', 'PUT', 'PATCH', 'DELETE'];

function tell(inquiry: OpenapiInquiry, description: Description, base: string): void {
  inquiry.fact('api', {
    format: description.format,
    title: quoteText(description.title),
    base: quoteText(base, 500),
    operations: description.operations.length,
    paths: new Set(description.operations.map(({ path }) => path)).size,
    security_schemes: description.schemes.size,
  });
  for (const note of description.notes) inquiry.note(note);
  if (description.references.outside > 0) {
    inquiry.note('references of the document that lead out of it, or nowhere, were not followed');
  }
}

async function openApi(inquiry: OpenapiInquiry): Promise<Api | null> {
  const found = await findDocument(inquiry);
  const description = found === null ? null : describeApi(found.value);
  if (found === null || description === null) return null;
  checkDocument(inquiry, found.value, description, found.at);
  const mayWrite = inquiry.input.arguments.writes === true;
  const allowed: readonly string[] = mayWrite ? callOrder : [...safeMethods];
  const callable = description.operations
    .filter(({ method }) => allowed.includes(method))
    .toSorted((left, right) => callOrder.indexOf(left.method) - callOrder.indexOf(right.method));
  if (callable.length > openapiLimits.operations) {
    inquiry.note(`of ${callable.length} operations the first ${openapiLimits.operations} are called`);
  }
  const base = await chooseBase(inquiry, description);
  tell(inquiry, description, base);
  return {
    inquiry,
    description,
    base,
    baseline: await takeBaseline(inquiry, base),
    operations: callable.slice(0, openapiLimits.operations),
    mayWrite,
  };
}

export const openapiAuditor: Auditor = {
  name: 'openapi',
  async run(audit: Audit): Promise<void> {
    const inquiry: OpenapiInquiry = new Inquiry(audit, {
      group: openapiGroup,
      rules: openapiRules,
      mostRequests: openapiLimits.requests,
    });
    let api: Api | null = null;
    let visited: readonly Visited[] = [];
    const when = (name: string, run: (open: Api) => Promise<void> | void) => ({
      name,
      run: async () => (api === null ? undefined : await run(api)),
    });
    await runPhases(inquiry, [
      {
        name: 'document',
        run: async () => {
          api = await openApi(inquiry);
        },
      },
      when('operations', async (open) => {
        visited = await visitAll(open);
      }),
      when('answers', (open) => checkAnswers(open, visited)),
      when('credentials', async (open) => {
        checkUnprotectedWrites(open);
        await checkCredentials(open, visited);
      }),
      when('endpoints', checkEndpoints),
      when('methods', checkMethods),
      when('input', (open) => checkInput(open, visited)),
    ]);
  },
};
