import { child, children, type Node, slots, text } from '../taint/javascript/tree.ts';
import { type Context, type JavaScriptRefs, keyOf } from './javascript-ref.ts';
import { addTo, type Ref, type Scope } from './ref.ts';

export interface Target {
  readonly scope: Scope;
  readonly context: Context;
  /** False when the value only comes from the ref: an element of it, the parameter of a callback. */
  readonly isDefinition: boolean;
}

/** Gives every name in a pattern its part of a value. */
export function bindPattern(
  refs: JavaScriptRefs,
  pattern: Node | undefined,
  ref: Ref,
  { scope, context, isDefinition }: Target,
): void {
  if (pattern === undefined) return;
  switch (pattern.type) {
    case 'Identifier': {
      const binding = scope.declare(text(pattern, 'name'));
      addTo(isDefinition ? binding.definitions : binding.flows, ref);
      return;
    }
    case 'ObjectPattern':
      for (const property of children(pattern, 'properties')) {
        if (property.type === 'RestElement')
          bindPattern(refs, child(property, 'argument'), ref, { scope, context, isDefinition: false });
        else {
          const member: Ref = { kind: 'member', of: ref, name: keyOf(property) };
          bindPattern(refs, child(property, 'value'), ref.kind === 'unknown' ? ref : member, {
            scope,
            context,
            isDefinition,
          });
          if (member.name === 'env' && ref.kind !== 'unknown')
            context.routine.sites.push({ ref: member, line: refs.lineOf(property), kind: 'read' });
        }
      }
      return;
    case 'ArrayPattern':
      for (const element of slots(pattern, 'elements'))
        bindPattern(refs, element, ref, { scope, context, isDefinition: false });
      return;
    case 'AssignmentPattern':
      bindPattern(refs, child(pattern, 'left'), ref, { scope, context, isDefinition });
      bindPattern(refs, child(pattern, 'left'), refs.of(child(pattern, 'right'), context), {
        scope,
        context,
        isDefinition: true,
      });
      return;
    case 'RestElement':
      bindPattern(refs, child(pattern, 'argument'), ref, { scope, context, isDefinition: false });
      return;
    case 'TSParameterProperty':
      bindPattern(refs, child(pattern, 'parameter'), ref, { scope, context, isDefinition });
      return;
  }
}
