import { asArray, asNumber, asString, entriesOf, isObject, type JsonObject } from '../../base/json-shape.ts';

/** What a person might have typed into the form that a server asks for. */

const byFormat: Readonly<Record<string, string>> = {
  email: 'alex@example.com',
  uri: 'https://example.com/',
  date: '2026-01-15',
  'date-time': '2026-01-15T09:30:00Z',
};

const mostFields = 100;
const longestText = 1000;

function plausibleText(schema: JsonObject): string {
  const known = Object.hasOwn(byFormat, String(schema.format)) ? byFormat[String(schema.format)] : undefined;
  const text = known ?? 'Alex';
  const least = Math.min(longestText, Math.max(0, asNumber(schema.minLength) ?? 0));
  const most = Math.max(0, asNumber(schema.maxLength) ?? longestText);
  return text.padEnd(least, 'a').slice(0, most);
}

function plausibleNumber(schema: JsonObject): number {
  const least = asNumber(schema.minimum) ?? Math.min(1, asNumber(schema.maximum) ?? 1);
  return schema.type === 'integer' ? Math.ceil(least) : least;
}

function firstChoice(schema: JsonObject): unknown {
  const titled = [...asArray(schema.oneOf), ...asArray(schema.anyOf)].find(
    (choice) => isObject(choice) && 'const' in choice,
  );
  return asArray(schema.enum)[0] ?? (isObject(titled) ? titled.const : undefined);
}

function plausibleField(schema: unknown): unknown {
  if (!isObject(schema)) return 'Alex';
  if (schema.default !== undefined) return schema.default;
  const choice = firstChoice(schema);
  if (choice !== undefined) return choice;
  switch (asString(schema.type)) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return plausibleNumber(schema);
    case 'array':
      return isObject(schema.items) ? [firstChoice(schema.items) ?? 'Alex'] : [];
    default:
      return plausibleText(schema);
  }
}

export function plausibleForm(schema: unknown): Readonly<Record<string, unknown>> {
  const fields = isObject(schema) ? entriesOf(schema.properties).slice(0, mostFields) : [];
  return Object.fromEntries(fields.map(([name, field]) => [name, plausibleField(field)]));
}
