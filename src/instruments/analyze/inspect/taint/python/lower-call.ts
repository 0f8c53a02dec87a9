import type { Argument, Expression, ObjectEntry } from '../ir.ts';
import { type Context, constantOf, intrinsic, keywordMark, plain } from './context.ts';
import { lowerQuantifier } from './lower-comprehension.ts';
import { isBuiltin, lower, lowerElements } from './lower-expression.ts';
import { type Registering, registeringCall, registeringKeywords } from './registrations.ts';
import { child, children, is, type PyNode, stringOf, text } from './tree.ts';

export function lowerArguments(node: PyNode, context: Context): Argument[] {
  const args = lowerElements(children(node, 'args'), context);
  const keywords = children(node, 'keywords');
  if (keywords.length === 0) return args;
  const entries = keywords.map((keyword): ObjectEntry => {
    const name = text(keyword, 'arg');
    return { key: name === '' ? undefined : name, value: lower(child(keyword, 'value'), context) };
  });
  entries.push({ key: keywordMark, value: constantOf(true) });
  return [...args, plain({ kind: 'object', entries, at: context.offsets.at(node) })];
}

export function lowerCall(node: PyNode, context: Context): Expression {
  const single = registeringCall(node);
  const found = [...(single === undefined ? [] : [single]), ...registeringKeywords(node)];
  const call = lowerPlainCall(node, context);
  if (found.length === 0) return call;
  const registered = found.map((one) => lowerRegistration(one, lower(one.handler, context), node, context));
  return { kind: 'sequence', items: [...registered, call] };
}

function lowerPlainCall(node: PyNode, context: Context): Expression {
  const callee = child(node, 'func');
  const at = context.offsets.at(node);
  const [first] = children(node, 'args');
  if (is(first, 'GeneratorExp', 'ListComp')) {
    if (isBuiltin(callee, 'any', context)) return lowerQuantifier(first, context, '#any');
    if (isBuiltin(callee, 'all', context)) return lowerQuantifier(first, context, '#all');
  }
  return {
    kind: 'call',
    callee: lowerCallee(callee, context),
    args: lowerArguments(node, context),
    construct: false,
    at,
  };
}

function isSuper(node: PyNode | undefined, context: Context): boolean {
  return is(node, 'Call') && isBuiltin(child(node, 'func'), 'super', context);
}

/** A method's name is never asked for as an attribute: `path.name` is one, `path.name()` is none. */
function lowerCallee(callee: PyNode | undefined, context: Context): Expression {
  if (!is(callee, 'Attribute')) return lower(callee, context);
  const object = child(callee, 'value');
  const property = text(callee, 'attr');
  if (isSuper(object, context)) {
    return property === '__init__'
      ? { kind: 'super' }
      : { kind: 'member', object: { kind: 'super' }, property, at: context.offsets.at(callee) };
  }
  const whole = lower(callee, context);
  if (whole.kind === 'import' || (whole.kind === 'member' && whole.property === property)) return whole;
  return { kind: 'member', object: lower(object, context), property, at: context.offsets.at(callee) };
}

/** Says to the engine that a server was given a handler. The name is the option, the first text, or the function's own. */
export function lowerRegistration(
  { shape, options }: Registering,
  handler: Expression,
  site: PyNode,
  context: Context,
): Expression {
  const keyword = (name: string): Expression => {
    const found = children(options, 'keywords').find((one) => text(one, 'arg') === name);
    return found === undefined ? constantOf(undefined) : lower(child(found, 'value'), context);
  };
  const [first] = children(options, 'args');
  const isNamed =
    first !== undefined && shape !== 'resource' && (stringOf(first) !== undefined || is(first, 'Attribute'));
  const isName = isNamed && registeringCall(options ?? site) === undefined;
  const name = isName ? lower(first, context) : keyword('name');
  return intrinsic('#register', [constantOf(shape), handler, name, keyword('description')], context.offsets.at(site));
}
