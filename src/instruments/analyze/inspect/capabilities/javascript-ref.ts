import { child, children, flag, isFunction, isNode, type Node, slots, text } from '../taint/javascript/tree.ts';
import {
  addTo,
  type FileFacts,
  joined,
  lineAt,
  makeRoutine,
  type Ref,
  type Routine,
  Scope,
  type Shape,
  unknownRef,
} from './ref.ts';

/** Where an expression stands. */
export interface Context {
  readonly scope: Scope;
  readonly routine: Routine;
  readonly shape: Shape | undefined;
}

const longestText = 4_096;
const deepestExpression = 60;
const mostArguments = 12;
const mostParts = 64;

/** Layers that change nothing about what a value is. */
const wrappers: Readonly<Record<string, string>> = {
  AwaitExpression: 'argument',
  ChainExpression: 'expression',
  ParenthesizedExpression: 'expression',
  TSAsExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSTypeAssertion: 'expression',
  TSInstantiationExpression: 'expression',
  SpreadElement: 'argument',
  YieldExpression: 'argument',
  AssignmentExpression: 'right',
  ExpressionStatement: 'expression',
};

/** The name of a property, or '' when it is computed. */
export function keyOf(node: Node, name = 'key'): string {
  const key = child(node, name);
  if (key === undefined) return '';
  if (key.type === 'Literal') return String(key.value);
  if (flag(node, 'computed')) return templateText(key) ?? '';
  return text(key, 'name');
}

function templateText(node: Node): string | undefined {
  if (node.type !== 'TemplateLiteral' || children(node, 'expressions').length > 0) return undefined;
  return children(node, 'quasis').map(cooked).join('');
}

function cooked(quasi: Node): string {
  const value = quasi.value;
  const inner = typeof value === 'object' && value !== null ? (value as { cooked?: unknown }).cooked : undefined;
  return typeof inner === 'string' ? inner.slice(0, longestText) : '';
}

/** Makes refs of expressions; every function and class is made once, whoever asks first. */
export class JavaScriptRefs {
  readonly #file: FileFacts;
  readonly #lines: readonly number[];
  readonly #routines = new Map<Node, Routine>();
  readonly #shapes = new Map<Node, Shape>();
  readonly #known = new Map<Node, Ref>();

  constructor(file: FileFacts, lines: readonly number[]) {
    this.#file = file;
    this.#lines = lines;
  }

  lineOf(node: Node): number {
    return lineAt(this.#lines, node.start);
  }

  routineOf(node: Node, context: Context, name = ''): Routine {
    const known = this.#routines.get(node);
    if (known !== undefined) return known;
    const own = child(node, 'id');
    const routine = makeRoutine(this.#file, {
      name: own === undefined ? name : text(own, 'name'),
      line: this.lineOf(node),
      parent: context.routine,
      scope: new Scope(context.scope, true),
    });
    this.#routines.set(node, routine);
    return routine;
  }

  shapeOf(node: Node, context: Context): Shape {
    const known = this.#shapes.get(node);
    if (known !== undefined) return known;
    const own = child(node, 'id');
    const base = child(node, 'superClass');
    const shape: Shape = {
      name: own === undefined ? '' : text(own, 'name'),
      methods: new Map(),
      fields: new Map(),
      base: base === undefined ? undefined : this.of(base, context),
    };
    this.#shapes.set(node, shape);
    const inside = { ...context, shape };
    for (const member of children(child(node, 'body') ?? node, 'body')) {
      const value = child(member, 'value');
      const name = keyOf(member);
      if (value === undefined || name === '') continue;
      if (isFunction(value)) shape.methods.set(name, this.routineOf(value, inside, name));
      else this.noteField(shape, name, this.of(value, inside));
    }
    return shape;
  }

  noteField(shape: Shape, name: string, ref: Ref): void {
    const list = shape.fields.get(name) ?? [];
    shape.fields.set(name, list);
    addTo(list, ref);
  }

  of(node: Node | undefined, context: Context, depth = 0): Ref {
    if (node === undefined || depth > deepestExpression) return unknownRef;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const ref = this.#make(node, context, depth + 1);
    if (ref.kind === 'call' || ref.kind === 'member' || ref.kind === 'object') this.#known.set(node, ref);
    return ref;
  }

  #all(nodes: readonly Node[], context: Context, depth: number, most = mostParts): readonly Ref[] {
    return nodes.slice(0, most).map((node) => this.of(node, context, depth));
  }

  #make(node: Node, context: Context, depth: number): Ref {
    const wrapped = Object.hasOwn(wrappers, node.type) ? wrappers[node.type] : undefined;
    if (wrapped !== undefined) return this.of(child(node, wrapped), context, depth);
    if (isFunction(node)) return { kind: 'routine', routine: this.routineOf(node, context) };
    switch (node.type) {
      case 'Identifier':
        return { kind: 'name', name: text(node, 'name'), scope: context.scope };
      case 'Literal':
        return typeof node.value === 'boolean'
          ? { kind: 'truth', value: node.value }
          : { kind: 'text', text: String(node.value).slice(0, longestText) };
      case 'TemplateLiteral': {
        const whole = templateText(node);
        if (whole !== undefined) return { kind: 'text', text: whole };
        const texts = children(node, 'quasis').map((quasi): Ref => ({ kind: 'text', text: cooked(quasi) }));
        return { kind: 'mix', parts: [...texts, ...this.#all(children(node, 'expressions'), context, depth)] };
      }
      case 'UnaryExpression': {
        // Minifiers write `!0` for true.
        const argument = child(node, 'argument');
        const isNot = text(node, 'operator') === '!' && typeof argument?.value === 'number';
        return isNot ? { kind: 'truth', value: argument.value === 0 } : unknownRef;
      }
      case 'BinaryExpression':
        return joined(this.#all([child(node, 'left'), child(node, 'right')].filter(isNode), context, depth));
      case 'ArrayExpression':
        return { kind: 'mix', parts: this.#all(slots(node, 'elements').filter(isNode), context, depth) };
      case 'LogicalExpression':
        return {
          kind: 'either',
          parts: this.#all([child(node, 'left'), child(node, 'right')].filter(isNode), context, depth),
        };
      case 'ConditionalExpression':
        return {
          kind: 'either',
          parts: this.#all([child(node, 'consequent'), child(node, 'alternate')].filter(isNode), context, depth),
        };
      case 'SequenceExpression':
        return this.of(children(node, 'expressions').at(-1), context, depth);
      case 'MemberExpression':
        return this.#member(node, context, depth);
      case 'ThisExpression':
        return context.shape === undefined ? unknownRef : { kind: 'this', shape: context.shape };
      case 'Super':
        return context.shape?.base ?? unknownRef;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return { kind: 'class', shape: this.shapeOf(node, context) };
      case 'ObjectExpression':
        return this.#object(node, context, depth);
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(node, context, depth);
      case 'ImportExpression':
        return this.#load('import', [child(node, 'source')].filter(isNode), context, depth);
      default:
        return unknownRef;
    }
  }

  #member(node: Node, context: Context, depth: number): Ref {
    const of = this.of(child(node, 'object'), context, depth);
    const name = keyOf(node, 'property');
    const computed = name === '' ? this.of(child(node, 'property'), context, depth) : undefined;
    return { kind: 'member', of, name: computed?.kind === 'text' ? computed.text : name };
  }

  #object(node: Node, context: Context, depth: number): Ref {
    const fields = new Map<string, Ref>();
    const spread: Ref[] = [];
    for (const property of children(node, 'properties').slice(0, 2_000)) {
      if (property.type === 'SpreadElement') spread.push(this.of(property, context, depth));
      else {
        const value = child(property, 'value');
        const name = keyOf(property);
        const isOwn = value !== undefined && isFunction(value);
        fields.set(
          name,
          isOwn ? { kind: 'routine', routine: this.routineOf(value, context, name) } : this.of(value, context, depth),
        );
      }
    }
    return { kind: 'object', fields, spread };
  }

  #call(node: Node, context: Context, depth: number): Ref {
    const callee = child(node, 'callee');
    const args = children(node, 'arguments');
    if (callee?.type === 'Identifier' && /^(?:require|__require|__non_webpack_require__)$/.test(text(callee, 'name')))
      return this.#load('require', args, context, depth);
    return {
      kind: 'call',
      of: this.of(callee, context, depth),
      args: this.#all(args, context, depth, mostArguments),
      named: new Map(),
      isNew: node.type === 'NewExpression',
    };
  }

  /** A module by name; when the name is computed, a call like any other. */
  #load(name: string, args: readonly Node[], context: Context, depth: number): Ref {
    const refs = this.#all(args, context, depth, mostArguments);
    const request = refs[0];
    if (request?.kind === 'text' && !request.text.startsWith('data:'))
      return { kind: 'module', request: request.text, file: this.#file };
    return {
      kind: 'call',
      of: { kind: 'name', name, scope: new Scope(undefined, true) },
      args: refs,
      named: new Map(),
      isNew: false,
    };
  }
}
