import type { FieldPattern, Pattern } from '../ir.ts';
import { type Context, lower, lowerKey } from './lower-expression.ts';
import { child, children, flag, type Node, slots, text } from './tree.ts';

const nothing: Pattern = { kind: 'nothing' };

/** What is assigned to: a name, a member, or names inside of a shape. */
export function lowerPattern(node: Node | undefined, context: Context): Pattern {
  if (node === undefined) return nothing;
  switch (node.type) {
    case 'Identifier': {
      const name = text(node, 'name');
      const id = context.scope.find(name);
      return id === undefined ? nothing : { kind: 'variable', id, name };
    }
    case 'MemberExpression':
      return lowerMemberTarget(node, context);
    case 'AssignmentPattern':
      return {
        kind: 'default',
        target: lowerPattern(child(node, 'left'), context),
        fallback: lower(child(node, 'right'), context),
      };
    case 'ObjectPattern':
      return lowerFields(node, context);
    case 'ArrayPattern': {
      const elements = slots(node, 'elements');
      const rest = elements.find((element) => element?.type === 'RestElement');
      return {
        kind: 'elements',
        elements: elements
          .filter((element) => element !== rest || rest === undefined)
          .map((element) => (element === undefined ? undefined : lowerPattern(element, context))),
        rest: rest === undefined ? undefined : lowerPattern(child(rest, 'argument'), context),
      };
    }
    case 'RestElement':
      return lowerPattern(child(node, 'argument'), context);
    case 'TSParameterProperty':
      return lowerPattern(child(node, 'parameter'), context);
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return lowerPattern(child(node, 'expression'), context);
    default:
      return nothing;
  }
}

function lowerMemberTarget(node: Node, context: Context): Pattern {
  const object = lower(child(node, 'object'), context);
  const property = child(node, 'property');
  if (property === undefined) return nothing;
  if (!flag(node, 'computed')) return { kind: 'member', object, property: text(property, 'name') };
  const index = lower(property, context);
  return { kind: 'member', object, property: index.kind === 'constant' ? String(index.value) : index };
}

function lowerFields(node: Node, context: Context): Pattern {
  const fields: FieldPattern[] = [];
  let rest: Pattern | undefined;
  for (const property of children(node, 'properties')) {
    if (property.type === 'RestElement') rest = lowerPattern(child(property, 'argument'), context);
    else fields.push({ key: lowerKey(property, context), target: lowerPattern(child(property, 'value'), context) });
  }
  return { kind: 'fields', fields, rest };
}
