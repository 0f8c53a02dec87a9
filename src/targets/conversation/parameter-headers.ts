import { entriesOf, isObject } from '../../base/json-shape.ts';

/**
 * Since 2026 a tool may want some of its arguments repeated in headers: a property with `x-mcp-header: NAME` goes into
 * `Mcp-Param-NAME`. Text that a header cannot carry is given in base64.
 */

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const mostHeaders = 50;
const deepest = 16;

export function headerValue(text: string): string {
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function collect(schema: unknown, value: unknown, depth: number, headers: Map<string, string>): void {
  if (!isObject(schema) || !isObject(value) || depth > deepest) return;
  for (const [name, property] of entriesOf(schema.properties)) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!isObject(property) || own === undefined || own === null || headers.size >= mostHeaders) continue;
    const header = property['x-mcp-header'];
    const isPlain = typeof own === 'string' || typeof own === 'boolean' || Number.isInteger(own);
    if (typeof header === 'string' && token.test(header) && isPlain) {
      headers.set(`mcp-param-${header.toLowerCase()}`, headerValue(String(own)));
    }
    collect(property, own, depth + 1, headers);
  }
}

export function parameterHeaders(inputSchema: unknown, input: unknown): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  collect(inputSchema, input, 0, headers);
  return Object.fromEntries(headers);
}
