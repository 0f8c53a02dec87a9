import type { AuditRequest } from '../contract.ts';
import type { Operation, Parameter } from './description.ts';
import type { References } from './references.ts';
import { sampleOf, spell } from './sample-value.ts';

/** A request for an operation of the document, with values that fit or with one that does not. */

export interface BuildOptions {
  /** In place of what fits, by place and name; null leaves the parameter out. */
  readonly instead?: ReadonlyMap<string, string | null>;
  readonly body?: unknown;
}

/** Headers that belong to the connection, the client or the credential, whatever a document says. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'origin',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const keyOf = ({ place, name }: Parameter): string => `${place} ${name}`;

function spelledValue(parameter: Parameter, references: References, instead: BuildOptions['instead']): string | null {
  const given = instead?.get(keyOf(parameter));
  if (given !== undefined) return given;
  if (!parameter.isRequired) return null;
  return spell(parameter.example ?? sampleOf(parameter.schema, references));
}

/** A segment never leads upwards or vanishes. */
function segment(value: string): string {
  return value === '' || value === '.' || value === '..' ? 'hotcell' : encodeURIComponent(value.toWellFormed());
}

function pathOf(path: string, values: ReadonlyMap<string, string>): string {
  return path.replace(/\{([^{}]{1,200})\}/g, (_, name: string) => segment(values.get(name) ?? '1'));
}

export function buildRequest(
  base: string,
  operation: Operation,
  references: References,
  options: BuildOptions = {},
): AuditRequest {
  const inPath = new Map<string, string>();
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' };
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const value = spelledValue(parameter, references, options.instead);
    if (value === null) continue;
    const { name, place } = parameter;
    if (place === 'path') inPath.set(name, value);
    else if (place === 'query') query.append(name, value.toWellFormed());
    else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) || !/^[\x21-\x7e]{1,500}$/.test(value)) continue;
    else if (place === 'cookie') cookies.push(`${name}=${encodeURIComponent(value)}`);
    else if (!ownHeaders.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  if (cookies.length > 0) headers.cookie = cookies.join('; ');
  const path = pathOf(operation.path, inPath).split(/[?#]/, 1)[0] ?? '/';
  const search = query.size === 0 ? '' : `?${query}`;
  const request = { url: `${base}${path}${search}`, method: operation.method };
  if (operation.body === null || operation.method === 'GET' || operation.method === 'HEAD')
    return { ...request, headers };
  const value = options.body ?? sampleOf(operation.body.schema, references);
  const isForm = operation.body.mediaType === 'application/x-www-form-urlencoded';
  headers['content-type'] = isForm ? operation.body.mediaType : 'application/json';
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const body = isForm
    ? new URLSearchParams(fields.map(([name, each]): [string, string] => [name, spell(each)])).toString()
    : JSON.stringify(value);
  return { ...request, headers, body };
}
