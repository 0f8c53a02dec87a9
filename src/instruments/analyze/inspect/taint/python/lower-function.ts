import type { Expression, FieldPattern, FunctionBody, FunctionIr, Pattern, Statement } from '../ir.ts';
import { type Context, constantOf, intrinsic, plain } from './context.ts';
import type { PythonFunction } from './function-ir.ts';
import { lowerAnnotation } from './lower-annotation.ts';
import { lower } from './lower-expression.ts';
import { lowerBlock } from './lower-statement.ts';
import { declareNames, type PyParameter, parametersOf } from './scope.ts';
import { child, children, dotted, is, type PyNode, stringOf, text } from './tree.ts';

/** How a function of a class gets the instance. */
export type Binding = 'none' | 'first';

const signs: Readonly<Record<PyParameter['kind'], string>> = { plain: '', keyword: '=', rest: '*', keywords: '**' };

export function lowerFunction(node: PyNode, outer: Context, binding: Binding = 'none'): PythonFunction {
  const all = parametersOf(child(node, 'args'));
  const own = binding === 'first' ? all.slice(1) : all;
  const self = binding === 'first' ? all[0]?.name : undefined;
  let lowered: FunctionBody | undefined;
  return {
    id: outer.scope.freshFunction(),
    name: text(node, 'name'),
    module: outer.module,
    at: outer.offsets.at(node),
    end: outer.offsets.end(node),
    arrow: false,
    body: () => {
      lowered ??= lowerBody(node, outer, own, self);
      return lowered;
    },
    signature: {
      parameters: own.map((parameter) => ({
        name: parameter.name,
        kind: parameter.kind,
        type: () => [
          lowerAnnotation(parameter.annotation, outer),
          ...(is(parameter.fallback, 'Call') ? [lower(parameter.fallback, outer)] : []),
        ],
      })),
      doc: docOf(node),
      wrapped: wrappedBy(node, outer),
      adapter: { function: outer.scope.freshFunction(), target: outer.scope.fresh(), input: outer.scope.fresh() },
    },
  };
}

function wrappedBy(node: PyNode, outer: Context): (() => Expression) | undefined {
  for (const decorator of children(node, 'decorator_list')) {
    const [first] = children(decorator, 'args');
    const name = dotted(child(decorator, 'func')) ?? '';
    if (is(decorator, 'Call') && /(?:^|\.)wraps$/.test(name) && first !== undefined) return () => lower(first, outer);
  }
  return undefined;
}

function docOf(node: PyNode): string {
  const [first] = children(node, 'body');
  return (is(first, 'Expr') ? stringOf(child(first, 'value')) : undefined) ?? '';
}

export function lowerLambda(node: PyNode, outer: Context): Expression {
  return { kind: 'function', function: lowerFunction(node, outer) };
}

function lowerBody(node: PyNode, outer: Context, own: readonly PyParameter[], self: string | undefined): FunctionBody {
  const scope = outer.scope.inner();
  const context: Context = { ...outer, scope, self: self ?? outer.self };
  const statements: Statement[] = [];
  const at = outer.offsets.at(node);
  if (self !== undefined) {
    const target: Pattern = { kind: 'variable', id: scope.declare(self), name: self };
    statements.push({ kind: 'declare', target, value: { kind: 'this' }, at });
  }
  const passed = scope.fresh();
  for (const { name } of own) scope.declare(name);
  if (own.length > 0) statements.push(bindParameters(own, passed, context, at));
  const body = node.body;
  if (Array.isArray(body)) {
    const nodes = children(node, 'body');
    declareNames(nodes, scope);
    statements.push(...lowerBlock(nodes, context));
  } else statements.push({ kind: 'return', value: lower(child(node, 'body'), context), at });
  return { parameters: [{ target: { kind: 'variable', id: passed, name: '' }, rest: true }], statements };
}

/** Positional and keyword arguments are sorted into parameters by the library, which sees what was passed. */
function bindParameters(own: readonly PyParameter[], passed: number, context: Context, at: number): Statement {
  const names = own.map(({ name, kind, fallback }) => `${signs[kind]}${name}${fallback === undefined ? '' : '?'}`);
  const fields = own.map(({ name, fallback }): FieldPattern => {
    const target: Pattern = { kind: 'variable', id: context.scope.declare(name), name };
    return {
      key: name,
      target: fallback === undefined ? target : { kind: 'default', target, fallback: lower(fallback, context) },
    };
  });
  const value = intrinsic('#bind', [{ kind: 'variable', id: passed, name: '' }, ...names.map(constantOf)], at);
  return { kind: 'declare', target: { kind: 'fields', fields, rest: undefined }, value, at };
}

/** The constructor that a class with declared fields gets without writing one. */
export function fieldConstructor(node: PyNode, outer: Context): FunctionIr {
  const passed = outer.scope.fresh();
  const at = outer.offsets.at(node);
  const fill: Expression = {
    ...intrinsic('#fill', [], at),
    args: [plain({ kind: 'this' }), plain({ kind: 'variable', id: passed, name: '' })],
  };
  return {
    id: outer.scope.freshFunction(),
    name: text(node, 'name'),
    module: outer.module,
    at,
    end: outer.offsets.end(node),
    arrow: false,
    body: () => ({
      parameters: [{ target: { kind: 'variable', id: passed, name: '' }, rest: true }],
      statements: [{ kind: 'expression', expression: fill }],
    }),
  };
}
