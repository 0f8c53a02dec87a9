import { isJsonType, mediaTypeOf, quoteText, showExchange } from '../client/index.ts';
import { jsonOf } from '../inquiry/answer.ts';
import type { Api, Visited } from './api.ts';
import { excessNames, isMediaTypeListed, responseFor } from './compare-answer.ts';
import { isSecretName } from './secret-names.ts';

/** Answers to proper requests, held against the document. */

/** Everybody may answer these, and few documents say so. */
const usual: ReadonlySet<number> = new Set([401, 403, 404, 405, 429, 501, 502, 503]);

function checkKind({ inquiry }: Api, { operation, request, answer }: Visited): void {
  const name = `${operation.method} ${operation.path}`;
  const claim = (title: string, detail: string, severity: 'info' | 'low'): void =>
    inquiry.claim({
      rule: 'undeclared-response',
      at: request.url,
      title: `${title}: ${name}`,
      detail,
      severity,
      evidence: showExchange(request, answer, { headers: ['content-type'] }),
      repro: request,
    });
  const contents = responseFor(operation.responses, answer.status);
  if (contents === undefined) {
    const severity = answer.status >= 500 ? 'low' : 'info';
    claim(
      `The status ${answer.status} is not documented`,
      `${name} is answered with ${answer.status}; the document has ${[...operation.responses.keys()].slice(0, 20).join(', ')}.`,
      severity,
    );
    return;
  }
  const mediaType = mediaTypeOf(answer);
  const listed = contents.map((content) => content.mediaType);
  if (answer.body.length === 0 || listed.length === 0 || isMediaTypeListed(listed, mediaType)) return;
  // Text that a browser takes for a page can carry what a caller put into it.
  const severity = mediaType === 'text/html' ? 'low' : 'info';
  claim(
    `The content type ${quoteText(mediaType === '' ? 'none' : mediaType, 60)} is not documented`,
    `${name} is answered as ${quoteText(mediaType, 100)}; the document has ${listed.slice(0, 10).join(', ')}.`,
    severity,
  );
}

function checkFields({ inquiry, description }: Api, { operation, request, answer }: Visited): void {
  const contents = responseFor(operation.responses, answer.status) ?? [];
  const content = contents.find(({ mediaType }) => isJsonType(mediaType) || mediaType.includes('*'));
  const value = content?.schema === undefined || !isJsonType(mediaTypeOf(answer)) ? undefined : jsonOf(answer);
  if (value === undefined) return;
  const names = excessNames(value, content?.schema, description.references);
  if (names.length === 0) return;
  const secret = names.filter((name) => isSecretName(name.split('.').at(-1) ?? ''));
  const list = (some: readonly string[]): string =>
    some
      .slice(0, 20)
      .map((name) => quoteText(name, 120))
      .join(', ');
  const operationName = `${operation.method} ${operation.path}`;
  inquiry.claim({
    rule: 'excess-data',
    at: request.url,
    title:
      secret.length === 0
        ? `An answer has fields that the document does not have: ${operationName}`
        : `An answer has undocumented fields that tell of secrets: ${operationName}`,
    detail: `${operationName} answers with ${names.length} fields that are not in its schema: ${list(names)}.${secret.length === 0 ? '' : ` By their names they are secrets: ${list(secret)}.`}`,
    evidence: `${showExchange(request, answer, { headers: ['content-type'] })}\nfields: ${list(names)}`,
    repro: request,
    ...(secret.length === 0 ? {} : { severity: 'high' as const }),
  });
}

export async function checkAnswers(api: Api, visited: readonly Visited[]): Promise<void> {
  for (const visit of visited) {
    if (visit.operation.responses.size === 0 || usual.has(visit.answer.status)) continue;
    checkKind(api, visit);
    checkFields(api, visit);
  }
}
