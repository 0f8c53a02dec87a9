import type { Expression, FunctionBody, FunctionIr, Parameter, Pattern, Statement } from '../ir.ts';
import { type Context, lower, placeOf } from './lower-expression.ts';
import { lowerPattern } from './lower-pattern.ts';
import { lowerBlock } from './lower-statement.ts';
import { boundNames, declareBlock, declareVars } from './scope.ts';
import { child, children, type Node, text } from './tree.ts';
import { type FunctionPlace, parseFunction, placeOfFunction } from './unit.ts';

/** A function is lowered when it is first called, and parsed again for that: most of a bundle never is. */
export function lowerFunction(node: Node, outer: Context, fallbackName: string): FunctionIr {
  const id = child(node, 'id');
  const own = id === undefined ? '' : text(id, 'name');
  const place = placeOfFunction(node, outer.unit, fallbackName === 'constructor');
  let lowered: FunctionBody | undefined;
  return {
    id: outer.scope.freshFunction(),
    name: own === '' ? fallbackName : own,
    module: outer.module,
    at: place.start,
    end: place.end,
    arrow: node.type === 'ArrowFunctionExpression',
    body: () => {
      lowered ??= reparse(place, outer, own);
      return lowered;
    },
  };
}

const emptyBody: FunctionBody = { parameters: [], statements: [] };

function reparse(place: FunctionPlace, outer: Context, own: string): FunctionBody {
  const parsed = parseFunction(outer.unit, place);
  return parsed === undefined ? emptyBody : lowerBody(parsed.node, { ...outer, unit: parsed.unit }, own);
}

function lowerBody(node: Node, outer: Context, own: string): FunctionBody {
  const scope = outer.scope.inner();
  // An expression may call itself by its name, which nobody outside can see.
  if (own !== '' && scope.find(own) === undefined) scope.declare(own);
  const context: Context = { ...outer, scope };
  const nodes = children(node, 'params');
  for (const parameter of nodes) for (const name of boundNames(parameter)) scope.declare(name);
  const body = child(node, 'body');
  const parameters = nodes.map((parameter): Parameter => {
    const plain = parameter.type === 'TSParameterProperty' ? (child(parameter, 'parameter') ?? parameter) : parameter;
    return { target: lowerPattern(plain, context), rest: plain.type === 'RestElement' };
  });
  const properties = nodes.filter((parameter) => parameter.type === 'TSParameterProperty');
  return {
    parameters,
    statements: [...properties.flatMap((property) => keepProperty(property, context)), ...lowerBodyOf(body, context)],
  };
}

function lowerBodyOf(body: Node | undefined, context: Context): readonly Statement[] {
  if (body === undefined) return [];
  if (body.type !== 'BlockStatement' && body.type !== 'FunctionBody') {
    return [{ kind: 'return', value: lower(body, context), at: placeOf(body, context) }];
  }
  declareVars(body, context.scope);
  const statements = children(body, 'body');
  declareBlock(statements, context.scope);
  return lowerBlock(statements, context);
}

/** `constructor(private readonly folder: string)` also sets the field. */
function keepProperty(property: Node, context: Context): Statement[] {
  return [...boundNames(property)].flatMap((name): Statement[] => {
    const id = context.scope.find(name);
    if (id === undefined) return [];
    const target: Pattern = { kind: 'member', object: { kind: 'this' }, property: name };
    const value: Expression = { kind: 'variable', id, name };
    return [
      {
        kind: 'expression',
        expression: { kind: 'assign', target, operator: '=', value, at: placeOf(property, context) },
      },
    ];
  });
}
