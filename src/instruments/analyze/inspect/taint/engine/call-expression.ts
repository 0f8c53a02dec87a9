import { applySchema } from '../builtins/zod.ts';
import type { CallExpression, Expression } from '../ir.ts';
import { call, callBack } from './call.ts';
import { construct, initialise } from './class.ts';
import { evaluate, evaluateArguments } from './evaluate.ts';
import { addFacts, impossible, joinFacts } from './facts.ts';
import { readElement, readField } from './fields.ts';
import type { Machine } from './machine.ts';
import { checkMethodSink } from './sink.ts';
import { observeRegistration } from './source.ts';
import { join, nothing, ofExternal, onlyText, unknown, type Value } from './value.ts';

export function evaluateCall(machine: Machine, expression: CallExpression): Value {
  const { callee } = expression;
  if (callee.kind === 'super') return callSuper(machine, expression);
  if (callee.kind === 'member' || callee.kind === 'element') return callMember(machine, expression, callee);
  const name = nameOf(callee);
  const target = evaluate(machine, callee);
  const args = evaluateArguments(machine, expression.args);
  if (machine.isDead) return nothing;
  const isRegistered = observeRegistration(machine, { name, receiver: undefined, args, expression });
  if (isRegistered && target.closures.length === 0) return unknown;
  if (expression.construct) return constructValue(machine, target, args, expression.at);
  // Helpers that compilers put around `require`.
  if (/^(?:__toESM|__importDefault|__importStar|_interopRequire\w+|__toCommonJS)\d*$/.test(name))
    return args[0] ?? unknown;
  return call(machine, target, args, expression.at);
}

function nameOf(callee: Expression): string {
  if (callee.kind === 'variable' || callee.kind === 'global') return callee.name;
  if (callee.kind === 'sequence') return nameOf(callee.items.at(-1) ?? { kind: 'this' });
  return callee.kind === 'member' ? callee.property : '';
}

function callSuper(machine: Machine, expression: CallExpression): Value {
  const args = evaluateArguments(machine, expression.args);
  const { home, receiver } = machine.activation;
  const parent = home?.prototype;
  if (parent !== undefined && receiver !== undefined) initialise(machine, parent, receiver, args, expression.at);
  else observeRegistration(machine, { name: 'super', receiver: undefined, args, expression });
  return receiver ?? unknown;
}

function constructValue(machine: Machine, target: Value, args: readonly Value[], at: number): Value {
  const classes = target.objects.filter((object) => object.kind === 'class');
  if (classes.length > 0) return classes.map((type) => construct(machine, type, args, at)).reduce(join, nothing);
  if (target.externals.length > 0) {
    const made = {
      ...target,
      externals: target.externals.map((external) => ({
        ...external,
        path: [...external.path, 'new'],
        name: `${external.name}.new`,
      })),
    };
    return call(machine, made, args, at);
  }
  callBack(machine, args, at);
  return unknown;
}

function callMember(
  machine: Machine,
  expression: CallExpression,
  callee: Expression & { kind: 'member' | 'element' },
): Value {
  const isSuper = callee.object.kind === 'super';
  const object = evaluate(machine, callee.object);
  if (machine.isDead) return nothing;
  const index = callee.kind === 'element' ? evaluate(machine, callee.index) : undefined;
  const name = callee.kind === 'member' ? callee.property : (onlyText(index ?? unknown) ?? '');
  const args = evaluateArguments(machine, expression.args);
  if (machine.isDead) return nothing;
  const isRegistered = observeRegistration(machine, { name, receiver: object, args, expression });
  if (object.schema !== undefined) return applySchema(machine, object.schema, name, args, expression.at);
  if (isZod(callee.object, object)) return call(machine, ofExternal('zod', [name]), args, expression.at);
  const target = isSuper
    ? superMethod(machine, name)
    : callee.kind === 'member'
      ? readField(machine, object, name, callee.at)
      : readElement(machine, object, index ?? unknown, callee.at);
  if (isRegistered && target.closures.length === 0) return unknown;
  if (expression.construct) return constructValue(machine, target, args, expression.at);
  const before = machine.facts;
  const hasOwn = target.closures.length + target.externals.length > 0;
  const own = hasOwn ? call(machine, { ...target, isOpen: false }, args, expression.at) : nothing;
  const afterOwn = hasOwn ? machine.facts : impossible;
  if (hasOwn && !object.isOpen && object.objects.every((one) => one.kind === 'object' || one.kind === 'class'))
    return own;
  machine.facts = before;
  if (!hasOwn) checkMethodSink(machine, object, name, args, expression.at);
  const modelled =
    hasOwn && object.objects.length > 0 && object.taints.length === 0
      ? nothing
      : machine.program.library.callMethod(machine, object, name, args, expression.at);
  machine.facts = hasOwn ? joinFacts(afterOwn, addFacts(machine.facts, before)) : machine.facts;
  return join(own, modelled);
}

/** `z` of a bundle is code like any other; its name is what is left of it. */
function isZod(callee: Expression, value: Value): boolean {
  if (callee.kind !== 'variable' || value.externals.length > 0) return false;
  return /^(?:z|zod|external_exports\d*)$/.test(callee.name);
}

function superMethod(machine: Machine, name: string): Value {
  const { home, receiver } = machine.activation;
  const method = home?.prototype?.fields.get(`#${name}`);
  if (method === undefined) return unknown;
  return { ...method, closures: method.closures.map((closure) => ({ ...closure, receiver, home: home?.prototype })) };
}
