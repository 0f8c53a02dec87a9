import type { HeapObject, Value } from './value.ts';

/**
 * What a call is known by, so that the same one is walked once. Objects made at one place and alike in what they hold are
 * the same: a literal inside of a loop is a new object at every turn and nothing new.
 */

const mostDepth = 2;
const mostFields = 12;

export function keyOfValue(value: Value | undefined, depth = 0): string {
  if (value === undefined) return '-';
  let key = value.isOpen ? '?' : '';
  for (const taint of value.taints) key += `t${taint.label}:${taint.bits}:${taint.extent}`;
  for (const one of value.constants) key += `c${typeof one}${String(one).slice(0, 64)}`;
  for (const closure of value.closures) key += `f${closure.function.id}@${closure.scope?.id ?? 0}`;
  for (const external of value.externals) key += `e${external.name}`;
  for (const object of value.objects) key += `o${keyOfObject(object, depth)}`;
  return key;
}

function keyOfObject(object: HeapObject, depth: number): string {
  const isPlain =
    (object.kind === 'object' && object.prototype === undefined && object.at > 0) || object.kind === 'array';
  if (!isPlain || depth >= mostDepth)
    return String(object.kind === 'array' || isPlain ? `${object.module}:${object.at}` : object.id);
  let key = `${object.module}:${object.at}{`;
  let count = 0;
  for (const [name, field] of object.fields) {
    count += 1;
    if (count > mostFields) break;
    key += `${name}=${keyOfValue(field, depth + 1)},`;
  }
  for (const element of object.elements?.slice(0, mostFields) ?? []) key += `${keyOfValue(element, depth + 1)},`;
  if (object.rest !== undefined) key += keyOfValue(object.rest, depth + 1);
  return `${key}}`;
}
