import type { Expression, Pattern, Statement } from '../ir.ts';
import { anything, type Context, constantOf, intrinsic, plain } from './context.ts';
import { lowerRegistration } from './lower-call.ts';
import { lowerClass } from './lower-class.ts';
import { lower, lowerOperation, lowerTest } from './lower-expression.ts';
import { lowerFunction } from './lower-function.ts';
import { lowerImport } from './lower-import.ts';
import { lowerMatch } from './lower-match.ts';
import { lowerTarget } from './lower-target.ts';
import { optOutTest } from './opt-out.ts';
import { registeringAssignment, registeringDecorator } from './registrations.ts';
import { child, children, dotted, is, type PyNode, text } from './tree.ts';

export function lowerBlock(nodes: readonly PyNode[], context: Context): Statement[] {
  return nodes.flatMap((node) => {
    const make = Object.hasOwn(makers, node.nodeType) ? makers[node.nodeType] : undefined;
    return make === undefined ? [] : make(node, context);
  });
}

function block(node: PyNode, name: string, context: Context): Statement[] {
  return lowerBlock(children(node, name), context);
}

function set(target: Pattern, value: Expression, at: number): Statement {
  return { kind: 'expression', expression: { kind: 'assign', target, operator: '=', value, at } };
}

function lowerDefinition(node: PyNode, context: Context): Statement[] {
  const name = text(node, 'name');
  const id = context.scope.declare(name);
  const at = context.offsets.at(node);
  const target: Pattern = { kind: 'variable', id, name };
  const made = lowerFunction(node, context);
  const registered = children(node, 'decorator_list').flatMap((decorator): Statement[] => {
    const registering = registeringDecorator(decorator);
    if (registering === undefined) return lowerDecorator(decorator, { kind: 'variable', id, name }, context);
    return [
      { kind: 'expression', expression: lowerRegistration(registering, { kind: 'variable', id, name }, node, context) },
    ];
  });
  return [{ kind: 'declare', target, value: { kind: 'function', function: made }, at }, ...registered];
}

/** Decorators of the language and of its library, which register nothing. */
const plainDecorators =
  /(?:^|\.)(?:wraps|lru_cache|cache|contextmanager|asynccontextmanager|overload|override|final|deprecated|fixture|\w*property|\w*method|\w*validator)$/;

/** One of the target's own may hand the function to a server. The function stays what it is: what wraps it shows its parameters. */
function lowerDecorator(decorator: PyNode, made: Expression, context: Context): Statement[] {
  const name = dotted(is(decorator, 'Call') ? child(decorator, 'func') : decorator) ?? '';
  if (plainDecorators.test(name)) return [];
  const at = context.offsets.at(decorator);
  return [
    {
      kind: 'expression',
      expression: { kind: 'call', callee: lower(decorator, context), args: [plain(made)], construct: false, at },
    },
  ];
}

/** `return not self.allowed or any(…)` opts out as `if not self.allowed: return True` does. */
function lowerReturn(node: PyNode, context: Context): Statement[] {
  const value = child(node, 'value');
  const at = context.offsets.at(node);
  const [first, second] = is(value, 'BoolOp') && is(child(value, 'op'), 'Or') ? children(value, 'values') : [];
  const optOut = second === undefined ? undefined : optOutTest(first, context);
  const rest: Statement = {
    kind: 'return',
    value: value === undefined ? constantOf(null) : lowerReturned(value, context),
    at,
  };
  if (optOut === undefined || second === undefined || children(value, 'values').length > 2) return [rest];
  const yes: Statement = { kind: 'return', value: constantOf(true), at };
  return [
    { kind: 'if', test: optOut, consequence: [yes], otherwise: [] },
    { kind: 'return', value: lower(second, context), at },
  ];
}

/** What has been checked by now is kept with what is put into something that is given back. */
function lowerReturned(value: PyNode, context: Context): Expression {
  const lowered = lower(value, context);
  const checked = (one: Expression) => intrinsic('#checked', [one], context.offsets.at(value));
  if (lowered.kind === 'array')
    return { ...lowered, elements: lowered.elements.map((one) => (one.spread ? one : plain(checked(one.value)))) };
  if (lowered.kind !== 'object') return lowered;
  return {
    ...lowered,
    entries: lowered.entries.map((entry) =>
      entry.key === undefined ? entry : { ...entry, value: checked(entry.value) },
    ),
  };
}

function lowerAssign(node: PyNode, context: Context): Statement[] {
  const at = context.offsets.at(node);
  const targets = children(node, 'targets');
  const [first] = targets;
  const value = lower(child(node, 'value'), context);
  const registering = registeringAssignment(first);
  const registered: Statement[] =
    registering === undefined
      ? []
      : [{ kind: 'expression', expression: lowerRegistration(registering, value, node, context) }];
  if (targets.length <= 1) return [...registered, set(lowerTarget(first, context), value, at)];
  const id = context.scope.fresh();
  const held: Pattern = { kind: 'variable', id, name: '' };
  return [
    { kind: 'declare', target: held, value, at },
    ...targets.map((target) => set(lowerTarget(target, context), { kind: 'variable', id, name: '' }, at)),
  ];
}

function lowerAugmented(node: PyNode, context: Context): Statement[] {
  const at = context.offsets.at(node);
  const target = child(node, 'target');
  const value = lowerOperation(
    child(node, 'op')?.nodeType ?? '',
    lower(target, context),
    lower(child(node, 'value'), context),
    at,
  );
  return [set(lowerTarget(target, context), value, at)];
}

function lowerFor(node: PyNode, context: Context): Statement[] {
  const over = lower(child(node, 'iter'), context);
  const target = lowerTarget(child(node, 'target'), context);
  return [
    {
      kind: 'each',
      of: true,
      target,
      over: intrinsic('#iterate', [over], context.offsets.at(node)),
      body: block(node, 'body', context),
    },
    ...block(node, 'orelse', context),
  ];
}

function lowerTry(node: PyNode, context: Context): Statement[] {
  const handlers = children(node, 'handlers').map((handler) => {
    const name = text(handler, 'name');
    const bound: Statement[] =
      name === ''
        ? []
        : [
            set(
              { kind: 'variable', id: context.scope.find(name) ?? context.scope.declare(name), name },
              anything,
              context.offsets.at(handler),
            ),
          ];
    return [...bound, ...block(handler, 'body', context)];
  });
  // Which of them runs is not known.
  const handler = handlers.reduceRight<Statement[] | undefined>(
    (otherwise, consequence) =>
      otherwise === undefined ? consequence : [{ kind: 'if', test: anything, consequence, otherwise }],
    undefined,
  );
  return [
    {
      kind: 'try',
      body: [...block(node, 'body', context), ...block(node, 'orelse', context)],
      caught: undefined,
      handler,
      finalizer: block(node, 'finalbody', context),
    },
  ];
}

function lowerWith(node: PyNode, context: Context): Statement[] {
  const entered = children(node, 'items').map((item): Statement => {
    const value: Expression = { kind: 'await', argument: lower(child(item, 'context_expr'), context) };
    const variable = child(item, 'optional_vars');
    return variable === undefined
      ? { kind: 'expression', expression: value }
      : set(lowerTarget(variable, context), value, context.offsets.at(node));
  });
  return [...entered, ...block(node, 'body', context)];
}

function lowerIf(node: PyNode, context: Context): Statement[] {
  const test = child(node, 'test');
  const consequence = block(node, 'body', context);
  const isLoneReturn = consequence.length === 1 && consequence[0]?.kind === 'return';
  const optOut = isLoneReturn ? optOutTest(test, context) : undefined;
  return [
    { kind: 'if', test: optOut ?? lowerTest(test, context), consequence, otherwise: block(node, 'orelse', context) },
  ];
}

/** A generator gives back, among others, what it yields. */
function lowerYield(value: PyNode, context: Context, at: number): Statement[] {
  const yielded = lower(child(value, 'value'), context);
  const given: Expression = is(value, 'Yield')
    ? { kind: 'array', elements: [{ value: yielded, spread: false }] }
    : yielded;
  return [{ kind: 'if', test: anything, consequence: [{ kind: 'return', value: given, at }], otherwise: [] }];
}

const makers: Readonly<Record<string, (node: PyNode, context: Context) => Statement[]>> = {
  FunctionDef: lowerDefinition,
  AsyncFunctionDef: lowerDefinition,
  ClassDef: (node, context) => {
    const name = text(node, 'name');
    const target: Pattern = { kind: 'variable', id: context.scope.declare(name), name };
    return [
      {
        kind: 'declare',
        target,
        value: { kind: 'class', class: lowerClass(node, context) },
        at: context.offsets.at(node),
      },
    ];
  },
  Assign: lowerAssign,
  AugAssign: lowerAugmented,
  AnnAssign: (node, context) =>
    child(node, 'value') === undefined
      ? []
      : [
          set(
            lowerTarget(child(node, 'target'), context),
            lower(child(node, 'value'), context),
            context.offsets.at(node),
          ),
        ],
  Expr: (node, context) => {
    const value = child(node, 'value');
    if (is(value, 'Yield', 'YieldFrom')) return lowerYield(value, context, context.offsets.at(node));
    return is(value, 'Constant') ? [] : [{ kind: 'expression', expression: lower(value, context) }];
  },
  Return: lowerReturn,
  Raise: (node, context) => [{ kind: 'throw', value: lower(child(node, 'exc'), context) }],
  Assert: (node, context) => [
    {
      kind: 'if',
      test: lowerTest(child(node, 'test'), context),
      consequence: [],
      otherwise: [{ kind: 'throw', value: constantOf(null) }],
    },
  ],
  If: lowerIf,
  While: (node, context) => [
    {
      kind: 'loop',
      test: lowerTest(child(node, 'test'), context),
      body: block(node, 'body', context),
      update: undefined,
    },
    ...block(node, 'orelse', context),
  ],
  For: lowerFor,
  AsyncFor: lowerFor,
  Try: lowerTry,
  TryStar: lowerTry,
  With: lowerWith,
  AsyncWith: lowerWith,
  Match: lowerMatch,
  Import: lowerImport,
  ImportFrom: lowerImport,
  Break: () => [{ kind: 'jump', to: 'break' }],
  Continue: () => [{ kind: 'jump', to: 'continue' }],
};
