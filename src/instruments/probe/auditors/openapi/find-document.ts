import { isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { quoteText } from '../client/index.ts';
import type { OpenapiInquiry } from './api.ts';
import { formatOf, readDocument } from './read-document.ts';

/** The document: given as text, at a URL that was given, or at one of the usual places. */

export interface FoundDocument {
  readonly value: JsonObject;
  /** Where it came from. */
  readonly at: string;
}

const usualPlaces = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/v3/api-docs',
  '/api-docs',
  '/docs/openapi.json',
  '/swagger/v1/swagger.json',
] as const;

function placesOf(url: string): readonly string[] {
  const { origin, pathname } = new URL(url);
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  return [...new Set([base, origin].flatMap((start) => usualPlaces.map((place) => `${start}${place}`)))];
}

async function fetchDocument(
  inquiry: OpenapiInquiry,
  url: string,
): Promise<{ value: JsonObject | null; problem: string }> {
  const headers = { accept: 'application/json, application/yaml, text/yaml, */*;q=0.1' };
  for (const isAuthenticated of inquiry.hasCredential ? [false, true] : [false]) {
    const answer = await inquiry.ask({ url, headers, isAuthenticated });
    if (answer === null) return { value: null, problem: 'no answer' };
    if (answer.status !== 200) {
      if (answer.status === 401 || answer.status === 403) continue;
      return { value: null, problem: `answered with ${answer.status}` };
    }
    if (answer.isCut) return { value: null, problem: 'the document is too long' };
    const { value, problem } = readDocument(answer.body.toString('utf8'));
    if (value === null) return { value, problem };
    return formatOf(value) === null ? { value: null, problem: 'not an OpenAPI document' } : { value, problem: '' };
  }
  return { value: null, problem: 'refused' };
}

export async function findDocument(inquiry: OpenapiInquiry): Promise<FoundDocument | null> {
  const { document, document_url: given } = inquiry.input.arguments;
  if (typeof document === 'string' && document !== '') {
    const { value, problem } = readDocument(document);
    if (value === null) inquiry.note(problem);
    else if (formatOf(value) === null) inquiry.note('the document is no OpenAPI document of version 2 or 3');
    return isObject(value) && formatOf(value) !== null ? { value, at: inquiry.input.url } : null;
  }
  const places = typeof given === 'string' ? [given] : placesOf(inquiry.input.url).filter((url) => inquiry.covers(url));
  for (const at of places) {
    const { value, problem } = await fetchDocument(inquiry, at);
    if (value !== null) {
      inquiry.fact('document', quoteText(at, 500));
      return { value, at };
    }
    if (typeof given === 'string') inquiry.note(`${quoteText(at, 300)}: ${problem}`);
  }
  if (typeof given !== 'string')
    inquiry.note('there is no document at the usual places; give document_url or document');
  return null;
}
