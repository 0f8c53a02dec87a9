import { children, isNode, nodeOf, type PythonNode, textOf } from './python-tree.ts';
import { joined, type Ref, type Scope, unknownRef } from './ref.ts';

const longestText = 4_096;
const deepestExpression = 60;
const mostParts = 64;

const wrappers: Readonly<Record<string, string>> = {
  Await: 'value',
  Starred: 'value',
  FormattedValue: 'value',
  NamedExpr: 'value',
  Expr: 'value',
};
/** What a container is made of, by the field that holds it. */
const mixtures: Readonly<Record<string, string>> = { JoinedStr: 'values', List: 'elts', Tuple: 'elts', Set: 'elts' };

export class PythonRefs {
  readonly #known = new Map<PythonNode, Ref>();

  of(node: PythonNode | undefined, context: { readonly scope: Scope }, depth = 0): Ref {
    if (node === undefined || depth > deepestExpression) return unknownRef;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const ref = this.#make(node, context, depth + 1);
    if (ref.kind === 'call' || ref.kind === 'member') this.#known.set(node, ref);
    return ref;
  }

  #all(nodes: readonly (PythonNode | undefined)[], context: { readonly scope: Scope }, depth: number): readonly Ref[] {
    return nodes.slice(0, mostParts).map((node) => this.of(node, context, depth));
  }

  #make(node: PythonNode, context: { readonly scope: Scope }, depth: number): Ref {
    const wrapped = Object.hasOwn(wrappers, node.nodeType) ? wrappers[node.nodeType] : undefined;
    if (wrapped !== undefined) return this.of(nodeOf(node, wrapped), context, depth);
    const mixture = Object.hasOwn(mixtures, node.nodeType) ? mixtures[node.nodeType] : undefined;
    if (mixture !== undefined) return { kind: 'mix', parts: this.#all(children(node, mixture), context, depth) };
    switch (node.nodeType) {
      case 'Name':
        return { kind: 'name', name: textOf(node, 'id'), scope: context.scope };
      case 'Constant':
        if (typeof node.value === 'boolean') return { kind: 'truth', value: node.value };
        return typeof node.value === 'string' ? { kind: 'text', text: node.value.slice(0, longestText) } : unknownRef;
      case 'Attribute':
        return { kind: 'member', of: this.of(nodeOf(node, 'value'), context, depth), name: textOf(node, 'attr') };
      case 'Subscript':
        return { kind: 'mix', parts: this.#all([nodeOf(node, 'value')], context, depth) };
      case 'BinOp': {
        const sides = this.#all([nodeOf(node, 'left'), nodeOf(node, 'right')], context, depth);
        return nodeOf(node, 'op')?.nodeType === 'Add' ? joined(sides) : { kind: 'mix', parts: sides };
      }
      case 'BoolOp':
        return { kind: 'either', parts: this.#all(children(node, 'values'), context, depth) };
      case 'IfExp':
        return { kind: 'either', parts: this.#all([nodeOf(node, 'body'), nodeOf(node, 'orelse')], context, depth) };
      case 'ListComp':
      case 'GeneratorExp':
      case 'SetComp':
        return {
          kind: 'mix',
          parts: this.#all(
            [nodeOf(node, 'elt'), ...children(node, 'generators').map((one) => nodeOf(one, 'iter'))],
            context,
            depth,
          ),
        };
      case 'DictComp':
        return {
          kind: 'mix',
          parts: this.#all(
            children(node, 'generators').map((one) => nodeOf(one, 'iter')),
            context,
            depth,
          ),
        };
      case 'Dict':
        return this.#dictionary(node, context, depth);
      case 'Call':
        return this.#call(node, context, depth);
      default:
        return unknownRef;
    }
  }

  #dictionary(node: PythonNode, context: { readonly scope: Scope }, depth: number): Ref {
    const fields = new Map<string, Ref>();
    const spread: Ref[] = [];
    const keys = Array.isArray(node.keys) ? node.keys : [];
    const values = Array.isArray(node.values) ? node.values : [];
    for (const [index, key] of keys.slice(0, 2_000).entries()) {
      const value = values[index];
      const ref = isNode(value) ? this.of(value, context, depth) : unknownRef;
      if (!isNode(key)) spread.push(ref);
      else if (typeof key.value === 'string') fields.set(key.value, ref);
    }
    return { kind: 'object', fields, spread };
  }

  #call(node: PythonNode, context: { readonly scope: Scope }, depth: number): Ref {
    const named = new Map<string, Ref>();
    for (const keyword of children(node, 'keywords').slice(0, 40))
      named.set(textOf(keyword, 'arg'), this.of(nodeOf(keyword, 'value'), context, depth));
    const args = this.#all(children(node, 'args'), context, depth).slice(0, 12);
    return { kind: 'call', of: this.of(nodeOf(node, 'func'), context, depth), args, named, isNew: false };
  }
}
