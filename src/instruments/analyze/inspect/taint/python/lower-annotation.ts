import { parse } from 'py-ast';
import type { Expression } from '../ir.ts';
import { anything, type Context, intrinsic } from './context.ts';
import { lower } from './lower-expression.ts';
import { child, children, is, type PyNode, stringOf, text } from './tree.ts';

/** Subscripts that make a type wherever they stand: `Mode = Literal['a', 'b']`. */
export function isTypeMaker(node: PyNode | undefined): boolean {
  return ['Literal', 'Annotated', 'Optional', 'Union'].includes(lastName(node));
}

function lastName(node: PyNode | undefined): string {
  return is(node, 'Attribute') ? text(node, 'attr') : is(node, 'Name') ? text(node, 'id') : '';
}

/** What a type lets through; the library turns it into a schema. */
export function lowerAnnotation(node: PyNode | undefined, context: Context): Expression {
  if (node === undefined) return anything;
  const at = context.offsets.at(node);
  const quoted = stringOf(node);
  if (quoted !== undefined) return lowerQuoted(quoted, context);
  if (is(node, 'BinOp')) {
    return intrinsic(
      '#union',
      [lowerAnnotation(child(node, 'left'), context), lowerAnnotation(child(node, 'right'), context)],
      at,
    );
  }
  if (!is(node, 'Subscript')) return intrinsic('#schema', [lower(node, context)], at);
  const slice = child(node, 'slice');
  const items = is(slice, 'Tuple') ? children(slice, 'elts') : slice === undefined ? [] : [slice];
  const maker = lower(child(node, 'value'), context);
  const name = lastName(child(node, 'value'));
  if (name === 'Literal') return intrinsic('#generic', [maker], at);
  if (name === 'Annotated') {
    const [type, ...others] = items;
    return intrinsic(
      '#annotated',
      [lowerAnnotation(type, context), ...others.map((other) => lower(other, context))],
      at,
    );
  }
  return intrinsic('#generic', [maker, ...items.map((item) => lowerAnnotation(item, context))], at);
}

/** A type in quotes is read when it is needed; one that is no expression says nothing. */
function lowerQuoted(source: string, context: Context): Expression {
  if (source.length > 500) return anything;
  try {
    const [statement] = children(parse(source) as unknown as PyNode, 'body');
    const value = is(statement, 'Expr') ? child(statement, 'value') : undefined;
    return stringOf(value) === undefined && value !== undefined ? lowerAnnotation(value, context) : anything;
  } catch {
    return anything;
  }
}
