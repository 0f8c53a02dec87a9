import type { Expression, FunctionIr, Parameter } from '../ir.ts';
import { type Context, constantOf, intrinsic } from './context.ts';
import { lower } from './lower-expression.ts';
import { lowerTarget } from './lower-target.ts';
import { boundNames } from './scope.ts';
import { child, children, type PyNode } from './tree.ts';

/** A function that an expression hides: what is done with each element. */
function eachFunction(
  node: PyNode,
  target: PyNode | undefined,
  outer: Context,
  body: (context: Context) => Expression,
): Expression {
  const scope = outer.scope.inner();
  for (const name of boundNames(target)) scope.declare(name);
  const context: Context = { ...outer, scope };
  const at = outer.offsets.at(node);
  let lowered: { parameters: readonly Parameter[]; value: Expression } | undefined;
  const made: FunctionIr = {
    id: scope.freshFunction(),
    name: '',
    module: outer.module,
    at,
    end: outer.offsets.end(node),
    arrow: true,
    body: () => {
      lowered ??= { parameters: [{ target: lowerTarget(target, context), rest: false }], value: body(context) };
      return { parameters: lowered.parameters, statements: [{ kind: 'return', value: lowered.value, at }] };
    },
  };
  return { kind: 'function', function: made };
}

/** Elements that a condition lets through carry what it tells; the others are gone. */
function guarded(conditions: readonly PyNode[], value: Expression, context: Context): Expression {
  return conditions.reduceRight<Expression>(
    (inner, condition) => ({
      kind: 'conditional',
      test: lower(condition, context),
      consequence: inner,
      otherwise: constantOf(undefined),
    }),
    value,
  );
}

function comprehend(
  node: PyNode,
  generators: readonly PyNode[],
  outer: Context,
  element: (context: Context) => Expression,
  name: string,
): Expression {
  const [first, ...others] = generators;
  if (first === undefined) return element(outer);
  const body = (context: Context) =>
    guarded(
      children(first, 'ifs'),
      others.length === 0
        ? element(context)
        : intrinsic('#element', [comprehend(node, others, context, element, '#each')], context.offsets.at(node)),
      context,
    );
  return intrinsic(
    name,
    [lower(child(first, 'iter'), outer), eachFunction(node, child(first, 'target'), outer, body)],
    outer.offsets.at(node),
  );
}

export function lowerComprehension(node: PyNode, context: Context): Expression {
  return comprehend(node, children(node, 'generators'), context, (inner) => lower(child(node, 'elt'), inner), '#each');
}

/** `any(…)` and `all(…)` over a generator are checks. */
export function lowerQuantifier(node: PyNode, context: Context, name: '#any' | '#all'): Expression {
  return comprehend(node, children(node, 'generators'), context, (inner) => lower(child(node, 'elt'), inner), name);
}

export function lowerDictComprehension(node: PyNode, context: Context): Expression {
  const pair = (inner: Context): Expression => ({
    kind: 'array',
    elements: ['key', 'value'].map((name) => ({ value: lower(child(node, name), inner), spread: false })),
  });
  return intrinsic(
    '#pairs',
    [comprehend(node, children(node, 'generators'), context, pair, '#each')],
    context.offsets.at(node),
  );
}
