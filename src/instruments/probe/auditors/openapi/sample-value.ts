import { openapiLimits } from './limits.ts';
import type { References } from './references.ts';
import { readSchema, type Schema } from './schema.ts';

/** A value that fits a schema, always the same one: what the author gave as an example, or the plainest. */

const byFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000001',
  date: '2024-01-01',
  'date-time': '2024-01-01T00:00:00Z',
  time: '12:00:00Z',
  email: 'probe@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aG90Y2VsbA==',
};

const plainText = 'hotcell';
const longestText = 2000;

function sampleNumber({ minimum, maximum }: Schema): number {
  if (minimum !== undefined && minimum > 1) return Math.ceil(minimum);
  return maximum !== undefined && maximum < 1 ? Math.floor(maximum) : 1;
}

function sampleText({ format, minLength = 0, maxLength = longestText }: Schema): string {
  const known = format === undefined || !Object.hasOwn(byFormat, format) ? undefined : byFormat[format];
  if (known !== undefined) return known;
  const length = Math.min(longestText, Math.max(minLength, Math.min(plainText.length, Math.max(1, maxLength))));
  return plainText.padEnd(length, 'x').slice(0, length);
}

function kindOf({ types, properties, items }: Schema): string {
  const [type] = types.filter((each) => each !== 'null');
  return type ?? (properties.size > 0 ? 'object' : items === undefined ? 'string' : 'array');
}

export function sampleOf(given: unknown, references: References, depth = 0): unknown {
  const schema = readSchema(given, references);
  if (schema.sample !== undefined) return schema.sample;
  if (schema.values !== undefined && schema.values.length > 0) return schema.values[0];
  if (depth >= openapiLimits.schemaDepth) return null;
  if (schema.alternatives.length > 0 && schema.types.length === 0 && schema.properties.size === 0) {
    return sampleOf(schema.alternatives[0], references, depth + 1);
  }
  const kind = kindOf(schema);
  if (kind === 'integer' || kind === 'number') return sampleNumber(schema);
  if (kind === 'boolean') return true;
  if (kind === 'array') {
    const count = Math.min(3, Math.max(1, schema.minItems ?? 1));
    return Array.from({ length: count }, () => sampleOf(schema.items, references, depth + 1));
  }
  if (kind !== 'object') return sampleText(schema);
  const needed = [...schema.properties].filter(([name]) => schema.required.includes(name)).slice(0, 50);
  return Object.fromEntries(needed.map(([name, value]) => [name, sampleOf(value, references, depth + 1)]));
}

/** As it stands in a path, a query or a header. */
export function spell(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, 20).map(spell).join(',').slice(0, longestText);
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return text.slice(0, longestText);
}
