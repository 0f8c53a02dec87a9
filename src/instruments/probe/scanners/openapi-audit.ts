import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { minuteMs } from '../../../base/limits.ts';
import { type AimMeans, defineScanner } from '../contract.ts';
import { buildOwn, credentialField, ownScanner, urlField } from './own.ts';

/** The room lets one host and port through, so that is where the document has to be. */
function checkDocumentUrl(url: string, means: AimMeans, base: ReturnType<AimMeans['url']>): void {
  const aim = means.url(url);
  const isSame = aim.host === base.host && aim.ports[0]?.from === base.ports[0]?.from;
  if (!isSame)
    throw new UsageError('document_url: the document has to be on the host and port of the API; give it as text');
}

export const openapiAudit = defineScanner({
  ...ownScanner,
  name: 'openapi_audit',
  command: 'openapi',
  title: 'Hold an API against its OpenAPI document',
  description:
    'Reads an OpenAPI document (2.0, 3.0, 3.1) and calls the live API: operations that are missing, methods and endpoints that are not documented, credentials that are not asked for, types that are not enforced, answers with more than the document says, and what the document itself gives away. GET and HEAD only, unless writes is set. Up to 1800 requests.',
  positional: 'url',
  timeoutMs: 20 * minuteMs,
  input: z.strictObject({
    url: urlField.describe('base URL of the API inside the scope'),
    document_url: urlField
      .optional()
      .describe('where the document is, on the same host; by default the usual places are tried'),
    document: z.string().min(2).max(524_288).optional().describe('the document itself, JSON or YAML'),
    writes: z
      .boolean()
      .default(false)
      .describe('call POST, PUT, PATCH and DELETE of the document too: this changes data'),
    credential: credentialField,
  }),
  examples: [
    { input: { url: 'http://192.0.2.7:8080/v1' }, says: 'the document is looked for at the usual places' },
    {
      input: { url: 'http://192.0.2.7:8080/', document_url: 'http://192.0.2.7:8080/spec.yaml', credential: 'user' },
      says: 'as a known user, with the document at a place of its own',
    },
  ],
  aim(input, means) {
    if (input.document !== undefined && input.document_url !== undefined) {
      throw new UsageError('give either document or document_url');
    }
    const aim = means.url(input.url);
    if (input.document_url !== undefined) checkDocumentUrl(input.document_url, means, aim);
    return aim;
  },
  build: (input, means) => buildOwn('openapi', input, means),
});
