import type { Argument, ClassIr, ClassMember, Constant, Expression, ObjectEntry } from '../ir.ts';
import { lowerFunction } from './lower-function.ts';
import { lowerPattern } from './lower-pattern.ts';
import type { Scope } from './scope.ts';
import { child, children, flag, isNode, type Node, slots, text } from './tree.ts';
import type { Unit } from './unit.ts';

/** Where lowering happens: the module and the names that are visible. */
export interface Context {
  readonly module: number;
  readonly unit: Unit;
  readonly scope: Scope;
}

export function placeOf(node: Node, { unit }: Context): number {
  return node.start + unit.offset;
}

const nothing: Expression = { kind: 'constant', value: undefined };

export function lower(node: Node | undefined, context: Context): Expression {
  if (node === undefined) return nothing;
  const make = makers[node.type];
  return make === undefined ? lowerOpaque(node, context) : make(node, context);
}

export function lowerArguments(nodes: readonly (Node | undefined)[], context: Context): Argument[] {
  return nodes.map((node) =>
    node?.type === 'SpreadElement'
      ? { value: lower(child(node, 'argument'), context), spread: true }
      : { value: lower(node, context), spread: false },
  );
}

/** Syntax the engine has no word for still has parts through which data may pass. */
function lowerOpaque(node: Node, context: Context): Expression {
  const argument = child(node, 'argument') ?? child(node, 'expression');
  return { kind: 'opaque', parts: argument === undefined ? [] : [lower(argument, context)] };
}

function lowerIdentifier(node: Node, { scope }: Context): Expression {
  const name = text(node, 'name');
  if (name === 'undefined') return nothing;
  const id = scope.find(name);
  return id === undefined ? { kind: 'global', name } : { kind: 'variable', id, name };
}

function lowerLiteral(node: Node): Expression {
  const regex = node.regex;
  if (typeof regex === 'object' && regex !== null) {
    const { pattern, flags } = regex as { pattern?: unknown; flags?: unknown };
    return { kind: 'regex', source: String(pattern ?? ''), flags: String(flags ?? '') };
  }
  const value = node.value;
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return { kind: 'constant', value: isPlain ? (value as Constant) : undefined };
}

function lowerMember(node: Node, context: Context): Expression {
  const object = lower(child(node, 'object'), context);
  const property = child(node, 'property');
  if (property === undefined) return { kind: 'opaque', parts: [object] };
  if (!flag(node, 'computed'))
    return { kind: 'member', object, property: text(property, 'name'), at: placeOf(node, context) };
  const index = lower(property, context);
  if (index.kind === 'constant')
    return { kind: 'member', object, property: String(index.value), at: placeOf(node, context) };
  return { kind: 'element', object, index, at: placeOf(node, context) };
}

function lowerCall(node: Node, context: Context): Expression {
  return {
    kind: 'call',
    callee: lower(child(node, 'callee'), context),
    args: lowerArguments(slots(node, 'arguments'), context),
    construct: node.type === 'NewExpression',
    at: placeOf(node, context),
  };
}

function cooked(quasi: Node): string {
  const value = quasi.value;
  if (typeof value !== 'object' || value === null) return '';
  const { cooked: plain, raw } = value as { cooked?: unknown; raw?: unknown };
  return typeof plain === 'string' ? plain : String(raw ?? '');
}

function lowerTemplate(node: Node, context: Context): Expression {
  const quasi = node.type === 'TaggedTemplateExpression' ? child(node, 'quasi') : node;
  if (quasi === undefined) return nothing;
  const tag = child(node, 'tag');
  return {
    kind: 'template',
    tag: tag === undefined ? undefined : lower(tag, context),
    strings: children(quasi, 'quasis').map(cooked),
    values: children(quasi, 'expressions').map((part) => lower(part, context)),
    at: placeOf(node, context),
  };
}

/** The name of a property: known, or computed. */
export function lowerKey(node: Node, context: Context): string | Expression {
  const key = child(node, 'key');
  if (key === undefined) return '';
  if (!flag(node, 'computed')) return key.type === 'Literal' ? String(key.value) : text(key, 'name');
  const computed = lower(key, context);
  return computed.kind === 'constant' ? String(computed.value) : computed;
}

function lowerObject(node: Node, context: Context): Expression {
  const entries = children(node, 'properties').map((property): ObjectEntry => {
    if (property.type === 'SpreadElement')
      return { key: undefined, value: lower(child(property, 'argument'), context) };
    return { key: lowerKey(property, context), value: lower(child(property, 'value'), context) };
  });
  return { kind: 'object', entries, at: placeOf(node, context) };
}

function lowerMemberOfClass(member: Node, context: Context): ClassMember[] {
  const value = child(member, 'value');
  if (member.type === 'StaticBlock') return [];
  return [
    {
      name: lowerKey(member, context),
      value: value === undefined ? undefined : lower(value, context),
      isStatic: flag(member, 'static'),
      isMethod: member.type === 'MethodDefinition',
      isGetter: text(member, 'kind') === 'get',
    },
  ];
}

export function lowerClass(node: Node, outer: Context): ClassIr {
  const id = child(node, 'id');
  const scope = outer.scope.inner();
  const context = { ...outer, scope };
  const body = child(node, 'body');
  const members = body === undefined ? [] : children(body, 'body');
  const maker = members.find((member) => text(member, 'kind') === 'constructor');
  const made = maker === undefined ? undefined : child(maker, 'value');
  const parent = child(node, 'superClass');
  return {
    name: id === undefined ? '' : text(id, 'name'),
    parent: parent === undefined ? undefined : lower(parent, context),
    constructor_: made === undefined ? undefined : lowerFunction(made, context, 'constructor'),
    members: members
      .filter((member) => member !== maker && !flag(member, 'declare'))
      .flatMap((member) => lowerMemberOfClass(member, context)),
    at: placeOf(node, context),
  };
}

function lowerAssignment(node: Node, context: Context): Expression {
  return {
    kind: 'assign',
    target: lowerPattern(child(node, 'left'), context),
    operator: text(node, 'operator'),
    value: lower(child(node, 'right'), context),
    at: placeOf(node, context),
  };
}

function lowerBinary(node: Node, context: Context): Expression {
  return {
    kind: 'binary',
    operator: text(node, 'operator'),
    left: lower(child(node, 'left'), context),
    right: lower(child(node, 'right'), context),
    at: placeOf(node, context),
  };
}

function lowerLogical(node: Node, context: Context): Expression {
  const operator = text(node, 'operator');
  return {
    kind: 'logical',
    operator: operator === '&&' || operator === '||' ? operator : '??',
    left: lower(child(node, 'left'), context),
    right: lower(child(node, 'right'), context),
  };
}

function lowerUpdate(node: Node, context: Context): Expression {
  return { kind: 'opaque', parts: [lower(child(node, 'argument'), context)] };
}

function lowerMeta(node: Node): Expression {
  const meta = child(node, 'meta');
  return { kind: 'global', name: meta !== undefined && text(meta, 'name') === 'import' ? 'import.meta' : 'new.target' };
}

const through = (name: string) => (node: Node, context: Context) => lower(child(node, name), context);

const makers: Readonly<Record<string, (node: Node, context: Context) => Expression>> = {
  Identifier: lowerIdentifier,
  Literal: lowerLiteral,
  ThisExpression: () => ({ kind: 'this' }),
  Super: () => ({ kind: 'super' }),
  MemberExpression: lowerMember,
  CallExpression: lowerCall,
  NewExpression: lowerCall,
  ChainExpression: through('expression'),
  ParenthesizedExpression: through('expression'),
  TSAsExpression: through('expression'),
  TSSatisfiesExpression: through('expression'),
  TSNonNullExpression: through('expression'),
  TSTypeAssertion: through('expression'),
  TSInstantiationExpression: through('expression'),
  FunctionExpression: (node, context) => ({ kind: 'function', function: lowerFunction(node, context, '') }),
  ArrowFunctionExpression: (node, context) => ({ kind: 'function', function: lowerFunction(node, context, '') }),
  ClassExpression: (node, context) => ({ kind: 'class', class: lowerClass(node, context) }),
  ObjectExpression: lowerObject,
  ArrayExpression: (node, context) => ({
    kind: 'array',
    elements: lowerArguments(slots(node, 'elements'), context),
  }),
  TemplateLiteral: lowerTemplate,
  TaggedTemplateExpression: lowerTemplate,
  BinaryExpression: lowerBinary,
  UnaryExpression: (node, context) => ({
    kind: 'unary',
    operator: text(node, 'operator'),
    argument: lower(child(node, 'argument'), context),
  }),
  UpdateExpression: lowerUpdate,
  LogicalExpression: lowerLogical,
  ConditionalExpression: (node, context) => ({
    kind: 'conditional',
    test: lower(child(node, 'test'), context),
    consequence: lower(child(node, 'consequent'), context),
    otherwise: lower(child(node, 'alternate'), context),
  }),
  AssignmentExpression: lowerAssignment,
  SequenceExpression: (node, context) => ({
    kind: 'sequence',
    items: children(node, 'expressions').map((item) => lower(item, context)),
  }),
  AwaitExpression: (node, context) => ({ kind: 'await', argument: lower(child(node, 'argument'), context) }),
  YieldExpression: (node, context) => ({ kind: 'opaque', parts: [lower(child(node, 'argument'), context)] }),
  ImportExpression: (node, context) => ({
    kind: 'import',
    source: lower(child(node, 'source'), context),
    at: placeOf(node, context),
  }),
  MetaProperty: lowerMeta,
};

export function isExpression(node: Node): boolean {
  return isNode(node) && makers[node.type] !== undefined;
}
