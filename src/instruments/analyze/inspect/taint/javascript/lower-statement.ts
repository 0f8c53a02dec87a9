import type { Expression, Pattern, Statement, SwitchCase } from '../ir.ts';
import { type Context, lower, lowerClass, placeOf } from './lower-expression.ts';
import { lowerFunction } from './lower-function.ts';
import { lowerPattern } from './lower-pattern.ts';
import { boundNames, declareBlock, undecorated } from './scope.ts';
import { child, children, type Node, text } from './tree.ts';

/** Statements of a block whose names have been declared. Functions come first, as the language has it. */
export function lowerBlock(nodes: readonly Node[], context: Context): Statement[] {
  const plain = nodes.map(undecorated);
  const functions = plain.filter((node) => node.type === 'FunctionDeclaration');
  const others = plain.filter((node) => node.type !== 'FunctionDeclaration');
  return [...functions, ...others].flatMap((node) => lowerStatement(node, context));
}

/** A block with names of its own. */
function lowerScoped(nodes: readonly Node[], outer: Context): Statement[] {
  const context = { ...outer, scope: outer.scope.inner() };
  declareBlock(nodes, context.scope);
  return lowerBlock(nodes, context);
}

function bodyOf(node: Node | undefined, context: Context): Statement[] {
  if (node === undefined) return [];
  return lowerScoped(node.type === 'BlockStatement' ? children(node, 'body') : [node], context);
}

function variableOf(node: Node, context: Context): Pattern {
  return lowerPattern(child(node, 'id'), context);
}

function declare(target: Pattern, value: Expression, at: number): Statement {
  return { kind: 'declare', target, value, at };
}

function lowerVariables(node: Node, context: Context): Statement[] {
  return children(node, 'declarations').map((declarator): Statement => {
    const init = child(declarator, 'init');
    const target = variableOf(declarator, context);
    const value = init === undefined ? undefined : named(init, target, context);
    return { kind: 'declare', target, value, at: placeOf(declarator, context) };
  });
}

/** `const save = async () => …` is called `save`. */
function named(init: Node, target: Pattern, context: Context): Expression {
  const isPlain = init.type === 'ArrowFunctionExpression' || init.type === 'FunctionExpression';
  if (!isPlain || target.kind !== 'variable') return lower(init, context);
  return { kind: 'function', function: lowerFunction(init, context, target.name) };
}

function lowerEach(node: Node, outer: Context): Statement[] {
  const context = { ...outer, scope: outer.scope.inner() };
  const left = child(node, 'left');
  const declarator = left?.type === 'VariableDeclaration' ? children(left, 'declarations')[0] : undefined;
  if (declarator !== undefined && left !== undefined && text(left, 'kind') !== 'var') {
    for (const name of boundNames(child(declarator, 'id'))) context.scope.declare(name);
  }
  return [
    {
      kind: 'each',
      of: node.type === 'ForOfStatement',
      target: declarator === undefined ? lowerPattern(left, context) : variableOf(declarator, context),
      over: lower(child(node, 'right'), context),
      body: bodyOf(child(node, 'body'), context),
    },
  ];
}

function lowerFor(node: Node, outer: Context): Statement[] {
  const context = { ...outer, scope: outer.scope.inner() };
  const init = child(node, 'init');
  const before: Statement[] = [];
  if (init?.type === 'VariableDeclaration') {
    declareBlock([init], context.scope);
    before.push(...lowerVariables(init, context));
  } else if (init !== undefined) before.push({ kind: 'expression', expression: lower(init, context) });
  const test = child(node, 'test');
  const update = child(node, 'update');
  const loop: Statement = {
    kind: 'loop',
    test: test === undefined ? undefined : lower(test, context),
    body: bodyOf(child(node, 'body'), context),
    update: update === undefined ? undefined : lower(update, context),
  };
  return [...before, loop];
}

function lowerWhile(node: Node, context: Context): Statement[] {
  const test = child(node, 'test');
  return [
    {
      kind: 'loop',
      test: test === undefined ? undefined : lower(test, context),
      body: bodyOf(child(node, 'body'), context),
      update: undefined,
    },
  ];
}

function lowerTry(node: Node, context: Context): Statement[] {
  const handler = child(node, 'handler');
  const inner = { ...context, scope: context.scope.inner() };
  const parameter = handler === undefined ? undefined : child(handler, 'param');
  for (const name of boundNames(parameter)) inner.scope.declare(name);
  return [
    {
      kind: 'try',
      body: bodyOf(child(node, 'block'), context),
      caught: parameter === undefined ? undefined : lowerPattern(parameter, inner),
      handler: handler === undefined ? undefined : bodyOf(child(handler, 'body'), inner),
      finalizer: bodyOf(child(node, 'finalizer'), context),
    },
  ];
}

function lowerSwitch(node: Node, outer: Context): Statement[] {
  const context = { ...outer, scope: outer.scope.inner() };
  const nodes = children(node, 'cases');
  for (const one of nodes) declareBlock(children(one, 'consequent'), context.scope);
  const cases = nodes.map((one): SwitchCase => {
    const test = child(one, 'test');
    return {
      test: test === undefined ? undefined : lower(test, context),
      body: lowerBlock(children(one, 'consequent'), context),
    };
  });
  return [{ kind: 'switch', on: lower(child(node, 'discriminant'), context), cases }];
}

function lowerEnum(node: Node, context: Context): Statement[] {
  return [declare(variableOf(node, context), { kind: 'opaque', parts: [] }, placeOf(node, context))];
}

type Maker = (node: Node, context: Context) => Statement[];

const makers: Readonly<Record<string, Maker>> = {
  VariableDeclaration: lowerVariables,
  FunctionDeclaration: (node, context) => [
    declare(
      variableOf(node, context),
      { kind: 'function', function: lowerFunction(node, context, '') },
      placeOf(node, context),
    ),
  ],
  ClassDeclaration: (node, context) => [
    declare(variableOf(node, context), { kind: 'class', class: lowerClass(node, context) }, placeOf(node, context)),
  ],
  TSEnumDeclaration: lowerEnum,
  ExpressionStatement: (node, context) => [
    { kind: 'expression', expression: lower(child(node, 'expression'), context) },
  ],
  IfStatement: (node, context) => [
    {
      kind: 'if',
      test: lower(child(node, 'test'), context),
      consequence: bodyOf(child(node, 'consequent'), context),
      otherwise: bodyOf(child(node, 'alternate'), context),
    },
  ],
  ForStatement: lowerFor,
  ForOfStatement: lowerEach,
  ForInStatement: lowerEach,
  WhileStatement: lowerWhile,
  DoWhileStatement: lowerWhile,
  ReturnStatement: (node, context) => {
    const value = child(node, 'argument');
    return [
      { kind: 'return', value: value === undefined ? undefined : lower(value, context), at: placeOf(node, context) },
    ];
  },
  ThrowStatement: (node, context) => [{ kind: 'throw', value: lower(child(node, 'argument'), context) }],
  BreakStatement: () => [{ kind: 'jump', to: 'break' }],
  ContinueStatement: () => [{ kind: 'jump', to: 'continue' }],
  TryStatement: lowerTry,
  SwitchStatement: lowerSwitch,
  BlockStatement: (node, context) => [{ kind: 'block', body: lowerScoped(children(node, 'body'), context) }],
  LabeledStatement: (node, context) => bodyOf(child(node, 'body'), context),
};

export function lowerStatement(node: Node, context: Context): Statement[] {
  const make = makers[node.type];
  if (make !== undefined) return make(node, context);
  // `export default <expression>` and statements that only types know.
  return node.type.endsWith('Expression') ? [{ kind: 'expression', expression: lower(node, context) }] : [];
}
