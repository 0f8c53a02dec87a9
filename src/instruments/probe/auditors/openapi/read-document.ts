import { parseDocument } from 'yaml';
import { isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { openapiLimits } from './limits.ts';

/** JSON or YAML that anybody may have written; never throws. */

export type ReadDocument =
  | { readonly value: JsonObject; readonly problem: null }
  | { readonly value: null; readonly problem: string };

const no = (problem: string): ReadDocument => ({ value: null, problem });

function parseYaml(text: string): ReadDocument {
  if (text.length > openapiLimits.yamlCharacters) return no('the document is too long for YAML');
  // Keys are not compared with each other: that takes the square of their number.
  const parsed = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', merge: false });
  const [error] = parsed.errors;
  if (error !== undefined) return no(`the document is neither JSON nor YAML (${error.code})`);
  const value: unknown = parsed.toJS({ maxAliasCount: openapiLimits.yamlAliases });
  return isObject(value) ? { value, problem: null } : no('the document is not an object');
}

export function readDocument(given: string): ReadDocument {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  if (text.length > openapiLimits.documentCharacters) return no('the document is too long');
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value, problem: null } : no('the document is not an object');
  } catch {
    // Then it may be YAML.
  }
  try {
    return parseYaml(text);
  } catch {
    return no('the document cannot be read: too many aliases, or nested too deep');
  }
}

export type DocumentFormat = '2.0' | '3.0' | '3.1';

/** Null for what is no description of an API, whatever else it is. */
export function formatOf({ openapi, swagger }: JsonObject): DocumentFormat | null {
  if (swagger === '2.0' || swagger === 2) return '2.0';
  const version = typeof openapi === 'number' ? String(openapi) : openapi;
  if (typeof version !== 'string') return null;
  if (/^3\.0(?:\.|$)/.test(version)) return '3.0';
  return /^3\.\d/.test(version) ? '3.1' : null;
}
