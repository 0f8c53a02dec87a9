import { inner, isFunction, type Node } from './tree.ts';

/** A function or a class around a place, told by where it begins. */
export interface Enclosure {
  readonly kind: 'function' | 'class';
  readonly at: number;
}

const callTypes = new Set(['CallExpression', 'NewExpression']);

/**
 * Where the calls are that begin before and end after an offset, and what stands around the innermost of them. Only the
 * parts of the tree that hold an offset are looked at.
 */
export function enclosuresOf(
  program: Node,
  offset: number,
): { readonly callAt: number | undefined; readonly around: readonly Enclosure[] } {
  const around: Enclosure[] = [];
  let callAt: number | undefined;
  let node: Node | undefined = program;
  for (let depth = 0; node !== undefined && depth < 2000; depth += 1) {
    if (isFunction(node)) around.push({ kind: 'function', at: node.start });
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression')
      around.push({ kind: 'class', at: node.start });
    if (callTypes.has(node.type)) callAt = node.start;
    let next: Node | undefined;
    for (const child of inner(node)) {
      if (child.start <= offset && offset < child.end) {
        next = child;
        break;
      }
    }
    node = next;
  }
  return { callAt, around };
}
