import type { Argument, Constant, Expression, ObjectEntry } from '../ir.ts';
import { builtinNames } from './builtin-names.ts';
import { anything, builtin, type Context, constantOf, importOf, intrinsic, none, plain } from './context.ts';
import { isTypeMaker, lowerAnnotation } from './lower-annotation.ts';
import { lowerCall } from './lower-call.ts';
import { lowerComprehension, lowerDictComprehension } from './lower-comprehension.ts';
import { lowerLambda } from './lower-function.ts';
import { lowerTarget } from './lower-target.ts';
import { child, children, dotted, is, type PyNode, slots, stringOf, text } from './tree.ts';

export function lower(node: PyNode | undefined, context: Context): Expression {
  if (node === undefined) return none;
  const make = Object.hasOwn(makers, node.nodeType) ? makers[node.nodeType] : undefined;
  return make === undefined ? anything : make(node, context);
}

export function lowerElements(nodes: readonly PyNode[], context: Context): Argument[] {
  return nodes.map((node) =>
    is(node, 'Starred') ? { value: lower(child(node, 'value'), context), spread: true } : plain(lower(node, context)),
  );
}

function lowerName(node: PyNode, { scope, stars, offsets }: Context): Expression {
  const name = text(node, 'id');
  const id = scope.find(name);
  const at = offsets.at(node);
  if (id !== undefined) return { kind: 'variable', id, name };
  if (name === '__file__') return { kind: 'global', name: '__filename' };
  if (builtinNames.has(name)) return builtin(name, at);
  const [star] = stars;
  return star === undefined ? anything : { kind: 'member', object: importOf(star, at), property: name, at };
}

function lowerConstant(node: PyNode): Expression {
  const { value } = node;
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? { kind: 'constant', value: value as Constant } : anything;
}

/** Names whose meaning depends on what they are asked of: a path's `name`, a member's `value`. */
const asked = new Set(
  'name stem suffix suffixes parent parents parts value is_private is_loopback is_link_local is_reserved is_global is_multicast is_unspecified'.split(
    ' ',
  ),
);
/** What a URL calls its host. */
const renamed: Readonly<Record<string, string>> = { netloc: 'host' };
const separators = new Set(['os.sep', 'os.path.sep', 'path.sep']);

function lowerAttribute(node: PyNode, context: Context): Expression {
  const at = context.offsets.at(node);
  const path = dotted(node);
  if (path !== undefined && context.imported.has(path)) return importOf(path, at);
  if (path !== undefined && separators.has(path))
    return { kind: 'member', object: importOf('path', at), property: 'sep', at };
  const name = text(node, 'attr');
  const object = lower(child(node, 'value'), context);
  if (asked.has(name)) return intrinsic('#attribute', [object, constantOf(name)], at);
  return { kind: 'member', object, property: Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name, at };
}

function lowerSubscript(node: PyNode, context: Context): Expression {
  const at = context.offsets.at(node);
  if (isTypeMaker(child(node, 'value'))) return lowerAnnotation(node, context);
  const object = lower(child(node, 'value'), context);
  const slice = child(node, 'slice');
  if (is(slice, 'Slice')) {
    const bounds = ['lower', 'upper'].map((name) => {
      const bound = child(slice, name);
      return bound === undefined ? constantOf(undefined) : lower(bound, context);
    });
    return intrinsic('#slice', [object, ...bounds], at);
  }
  const index = lower(slice, context);
  return { kind: 'element', object, index: index.kind === 'unary' ? anything : index, at };
}

const comparisons: Readonly<Record<string, string>> = {
  Eq: '===',
  NotEq: '!==',
  Is: '===',
  IsNot: '!==',
  Lt: '<',
  LtE: '<=',
  Gt: '>',
  GtE: '>=',
};

function lowerComparison(operator: string, left: PyNode, right: PyNode, context: Context, at: number): Expression {
  if (operator === 'In' || operator === 'NotIn') {
    const isBelow = is(right, 'Attribute') && text(right, 'attr') === 'parents';
    const found = isBelow
      ? intrinsic('#below', [lower(child(right, 'value'), context), lower(left, context)], at)
      : intrinsic('#contains', [lower(right, context), lower(left, context)], at);
    return operator === 'In' ? found : { kind: 'unary', operator: '!', argument: found };
  }
  const known = comparisons[operator] ?? '<';
  return { kind: 'binary', operator: known, left: lower(left, context), right: lower(right, context), at };
}

function lowerCompare(node: PyNode, context: Context): Expression {
  const operands = [child(node, 'left'), ...children(node, 'comparators')];
  const parts = children(node, 'ops').flatMap((operator, index): Expression[] => {
    const [left, right] = [operands[index], operands[index + 1]];
    if (left === undefined || right === undefined) return [];
    return [lowerComparison(operator.nodeType, left, right, context, context.offsets.at(node))];
  });
  return joinLogical('&&', parts);
}

function joinLogical(operator: '&&' | '||', parts: readonly Expression[]): Expression {
  const [first, ...others] = parts;
  if (first === undefined) return anything;
  return others.reduce<Expression>((left, right) => ({ kind: 'logical', operator, left, right }), first);
}

const operations: Readonly<Record<string, string>> = { Add: '#add', Div: '#divide', Mod: '#percent', BitOr: '#either' };

export function lowerOperation(operator: string, left: Expression, right: Expression, at: number): Expression {
  const known = Object.hasOwn(operations, operator) ? operations[operator] : undefined;
  return known === undefined ? { kind: 'opaque', parts: [left, right] } : intrinsic(known, [left, right], at);
}

const unaries: Readonly<Record<string, string>> = { Not: '!', USub: '-', UAdd: '+', Invert: '~' };

function lowerJoined(node: PyNode, context: Context): Expression {
  const strings: string[] = [''];
  const values: Expression[] = [];
  for (const part of children(node, 'values')) {
    const constant = stringOf(part);
    if (constant !== undefined) strings[strings.length - 1] += constant;
    else {
      values.push(lower(child(part, 'value'), context));
      strings.push('');
    }
  }
  return { kind: 'template', tag: undefined, strings, values, at: context.offsets.at(node) };
}

function lowerDict(node: PyNode, context: Context): Expression {
  const keys = slots(node, 'keys');
  const entries = children(node, 'values').map((value, index): ObjectEntry => {
    const key = keys[index];
    const name = is(key, 'Constant') && key.value !== null ? String(key.value) : undefined;
    return { key: key === undefined ? undefined : (name ?? lower(key, context)), value: lower(value, context) };
  });
  return { kind: 'object', entries, at: context.offsets.at(node) };
}

type Maker = (node: PyNode, context: Context) => Expression;

const lowerList: Maker = (node, context) => ({
  kind: 'array',
  elements: lowerElements(children(node, 'elts'), context),
});
const lowerValue: Maker = (node, context) => lower(child(node, 'value'), context);

const makers: Readonly<Record<string, Maker>> = {
  Name: lowerName,
  Constant: lowerConstant,
  Attribute: lowerAttribute,
  Subscript: lowerSubscript,
  Compare: lowerCompare,
  Call: lowerCall,
  Lambda: lowerLambda,
  JoinedStr: lowerJoined,
  TemplateStr: lowerJoined,
  Dict: lowerDict,
  DictComp: lowerDictComprehension,
  ListComp: lowerComprehension,
  SetComp: lowerComprehension,
  GeneratorExp: lowerComprehension,
  BoolOp: (node, context) => {
    const parts = children(node, 'values').map((value) => lower(value, context));
    return joinLogical(is(child(node, 'op'), 'And') ? '&&' : '||', parts);
  },
  BinOp: (node, context) => {
    const [left, right] = [lower(child(node, 'left'), context), lower(child(node, 'right'), context)];
    return lowerOperation(child(node, 'op')?.nodeType ?? '', left, right, context.offsets.at(node));
  },
  UnaryOp: (node, context) => ({
    kind: 'unary',
    operator: unaries[child(node, 'op')?.nodeType ?? ''] ?? '!',
    argument: lower(child(node, 'operand'), context),
  }),
  IfExp: (node, context) => ({
    kind: 'conditional',
    test: lowerTest(child(node, 'test'), context),
    consequence: lower(child(node, 'body'), context),
    otherwise: lower(child(node, 'orelse'), context),
  }),
  NamedExpr: (node, context) => ({
    kind: 'assign',
    target: lowerTarget(child(node, 'target'), context),
    operator: '=',
    value: lower(child(node, 'value'), context),
    at: context.offsets.at(node),
  }),
  List: lowerList,
  Tuple: lowerList,
  Set: lowerList,
  Await: (node, context) => ({ kind: 'await', argument: lower(child(node, 'value'), context) }),
  Yield: (node, context) => ({ kind: 'opaque', parts: [lower(child(node, 'value'), context)] }),
  YieldFrom: lowerValue,
  Starred: lowerValue,
  FormattedValue: lowerValue,
  Interpolation: lowerValue,
};

/** A condition: there, a text that is not there is nothing to be afraid of. */
export function lowerTest(node: PyNode | undefined, context: Context): Expression {
  if (is(node, 'Name', 'Attribute', 'Subscript'))
    return intrinsic('#truthy', [lower(node, context)], context.offsets.at(node));
  if (is(node, 'UnaryOp') && is(child(node, 'op'), 'Not'))
    return { kind: 'unary', operator: '!', argument: lowerTest(child(node, 'operand'), context) };
  if (!is(node, 'BoolOp')) return lower(node, context);
  return joinLogical(
    is(child(node, 'op'), 'And') ? '&&' : '||',
    children(node, 'values').map((value) => lowerTest(value, context)),
  );
}

/** `super`, `any` and their kind, when a name of the module does not hide them. */
export function isBuiltin(node: PyNode | undefined, name: string, { scope }: Context): boolean {
  return is(node, 'Name') && text(node, 'id') === name && scope.find(name) === undefined;
}
