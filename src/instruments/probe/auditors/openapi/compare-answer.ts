import { isObject } from '../../../../base/json-shape.ts';
import { openapiLimits } from './limits.ts';
import type { References } from './references.ts';
import { readSchema } from './schema.ts';

/** Names in an answer that its schema does not have. Names only: values go nowhere. */

const mostNames = 50;
const longestName = 100;

export function excessNames(value: unknown, schema: unknown, references: References): readonly string[] {
  const found = new Set<string>();
  let left: number = openapiLimits.values;

  const walk = (here: unknown, schemas: readonly unknown[], path: string, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > openapiLimits.schemaDepth || schemas.length === 0 || found.size >= mostNames) return;
    const views = schemas.slice(0, openapiLimits.schemaParts).map((each) => readSchema(each, references));
    // One of several may apply, so what any of them allows is no surprise.
    const inner = views.flatMap(({ alternatives }) => alternatives.map((each) => readSchema(each, references)));
    const all = [...views, ...inner].slice(0, openapiLimits.schemaParts);
    if (Array.isArray(here)) {
      const items = all.flatMap(({ items: each }) => (each === undefined ? [] : [each]));
      for (const each of here.slice(0, 20)) walk(each, items, `${path}[]`, depth + 1);
      return;
    }
    // A schema without any properties, or one that says that it is open, promises nothing.
    if (!isObject(here) || all.some(({ isOpen }) => isOpen) || all.every(({ properties }) => properties.size === 0))
      return;
    for (const [name, each] of Object.entries(here).slice(0, openapiLimits.properties)) {
      const known = all.flatMap(({ properties }) => (properties.has(name) ? [properties.get(name)] : []));
      const place = `${path === '' ? '' : `${path}.`}${name.slice(0, longestName)}`;
      if (known.length === 0) found.add(place);
      else walk(each, known, place, depth + 1);
    }
  };
  walk(value, [schema], '', 0);
  return [...found].slice(0, mostNames);
}

/** Which of the documented responses an answer is: exact, by class, or the default. */
export function responseFor<T>(responses: ReadonlyMap<string, T>, status: number): T | undefined {
  return responses.get(String(status)) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default');
}

/** `application/*` and `*` stand for what they say. */
export function isMediaTypeListed(listed: readonly string[], mediaType: string): boolean {
  return listed.some((each) => {
    if (each === mediaType || each === '*/*' || each === '*') return true;
    return each.endsWith('/*') && mediaType.startsWith(each.slice(0, -1));
  });
}
