import { canonicalPaths } from './canonical-paths.ts';
import { type Field, plainName } from './fields.ts';
import type { RequestHead } from './request-head.ts';

/** Headers and parameters by which a request is another one than its first line says, at servers that listen to them. */

const methodHeaders: ReadonlySet<string> = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);
const methodParameter = '_method';

const pathHeaders: ReadonlySet<string> = new Set([
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-override-url',
  'x-forwarded-uri',
  'x-http-destinationurl',
  // Where COPY and MOVE write to.
  'destination',
]);

export function isOverride(plain: string): boolean {
  return methodHeaders.has(plain) || pathHeaders.has(plain);
}

function valuesOf(fields: readonly Field[], names: ReadonlySet<string>): readonly string[] {
  return fields.filter(({ name }) => names.has(plainName(name))).map(({ value }) => value);
}

/** Some servers separate parameters by `;` as well, and PHP knows no `.`, `[` or space in their names: they are `_`. */
function methodParameters(target: string): readonly string[] {
  const query = target.slice(target.indexOf('?') + 1 || target.length);
  const given = [...new URLSearchParams(query.replaceAll(';', '&'))];
  const plain = (name: string): string => name.trimStart().toLowerCase().replaceAll(/[.[ ]/g, '_');
  return given.filter(([name]) => plain(name) === methodParameter).map(([, value]) => value);
}

/** The method as sent is the first. */
export function methodsOf({ method, target, fields }: RequestHead): readonly string[] {
  const asked = [...valuesOf(fields, methodHeaders), ...methodParameters(target)];
  return [...new Set([method, ...asked.map((each) => each.trim().toUpperCase())])];
}

/** The literal path of the first line is the first. */
export function pathsOf({ target, fields }: RequestHead): readonly string[] {
  return [...new Set([target, ...valuesOf(fields, pathHeaders)].flatMap(canonicalPaths))];
}
