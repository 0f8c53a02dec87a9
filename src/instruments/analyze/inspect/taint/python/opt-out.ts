import type { Expression } from '../ir.ts';
import { type Context, constantOf } from './context.ts';
import { lower } from './lower-expression.ts';
import { child, children, is, type PyNode, text } from './tree.ts';

const restrictions =
  /allow|confine|enforce|permit|restrict|whitelist|root|director|folder|base|repositor|sandbox|workspace/i;

function nameOf(node: PyNode | undefined): string {
  return is(node, 'Attribute') ? text(node, 'attr') : is(node, 'Name') ? text(node, 'id') : '';
}

/**
 * `if not allowed_directories: return`, `if repository is None: return`: the operator restricts nothing. The engine knows
 * this by the empty list that the other language compares with, so it is said in those words.
 */
export function optOutTest(test: PyNode | undefined, context: Context): Expression | undefined {
  const subject = subjectOf(test);
  if (subject === undefined || !restrictions.test(nameOf(subject))) return undefined;
  const at = context.offsets.at(subject);
  return {
    kind: 'binary',
    operator: '===',
    left: { kind: 'member', object: lower(subject, context), property: 'length', at },
    right: constantOf(0),
    at,
  };
}

function subjectOf(test: PyNode | undefined): PyNode | undefined {
  if (is(test, 'UnaryOp') && is(child(test, 'op'), 'Not')) return child(test, 'operand');
  const [operator] = children(test, 'ops');
  const [right] = children(test, 'comparators');
  const isNone = is(operator, 'Is', 'Eq') && is(right, 'Constant') && right.value === null;
  return is(test, 'Compare') && isNone ? child(test, 'left') : undefined;
}
