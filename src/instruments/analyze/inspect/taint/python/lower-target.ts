import type { Pattern } from '../ir.ts';
import type { Context } from './context.ts';
import { lower } from './lower-expression.ts';
import { child, children, is, type PyNode, stringOf, text } from './tree.ts';

/** What is assigned to. */
export function lowerTarget(node: PyNode | undefined, context: Context): Pattern {
  if (is(node, 'Name')) {
    const name = text(node, 'id');
    return { kind: 'variable', id: context.scope.find(name) ?? context.scope.declare(name), name };
  }
  if (is(node, 'Attribute'))
    return { kind: 'member', object: lower(child(node, 'value'), context), property: text(node, 'attr') };
  if (is(node, 'Subscript')) {
    const slice = child(node, 'slice');
    return {
      kind: 'member',
      object: lower(child(node, 'value'), context),
      property: stringOf(slice) ?? lower(slice, context),
    };
  }
  if (is(node, 'Starred')) return lowerTarget(child(node, 'value'), context);
  if (!is(node, 'Tuple', 'List')) return { kind: 'nothing' };
  const items = children(node, 'elts');
  const star = items.findIndex((item) => is(item, 'Starred'));
  const plain = star < 0 ? items : items.slice(0, star);
  return {
    kind: 'elements',
    elements: plain.map((item) => lowerTarget(item, context)),
    rest: star < 0 ? undefined : lowerTarget(items[star], context),
  };
}
