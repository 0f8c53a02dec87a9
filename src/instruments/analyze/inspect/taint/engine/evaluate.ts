import type { Argument, Expression } from '../ir.ts';
import { assign } from './assign.ts';
import { bits } from './bits.ts';
import { evaluateCall } from './call-expression.ts';
import { makeClass } from './class.ts';
import { compare, negate } from './condition.ts';
import { addFacts, joinFacts } from './facts.ts';
import { readElement, readField, writeElement, writeField } from './fields.ts';
import { globalValue } from './globals.ts';
import { type Machine, meetValues } from './machine.ts';
import { importModule } from './modules.ts';
import { checkImport } from './sink.ts';
import { noteDefinition } from './source.ts';
import { blend, concatenate, transform } from './text.ts';
import {
  type Closure,
  constant,
  implicationOf,
  join,
  nothing,
  ofClosure,
  ofObject,
  onlyConstant,
  onlyText,
  truth,
  unknown,
  type Value,
} from './value.ts';

export function evaluate(machine: Machine, expression: Expression): Value {
  machine.step();
  switch (expression.kind) {
    case 'constant':
      return constant(expression.value);
    case 'regex':
      return { ...unknown, isOpen: false, regex: { source: expression.source, flags: expression.flags } };
    case 'variable':
      return machine.activation.holder(expression.id)?.variables.get(expression.id) ?? unknown;
    case 'global':
      return globalValue(expression.name);
    case 'this':
    case 'super':
      return machine.activation.receiver ?? unknown;
    case 'member':
      return readField(machine, evaluate(machine, expression.object), expression.property, expression.at);
    case 'element': {
      const object = evaluate(machine, expression.object);
      return readElement(machine, object, evaluate(machine, expression.index), expression.at);
    }
    case 'call':
      return evaluateCall(machine, expression);
    case 'function': {
      const closure: Closure = {
        function: expression.function,
        scope: machine.activation,
        receiver: expression.function.arrow ? machine.activation.receiver : undefined,
        home: expression.function.arrow ? machine.activation.home : undefined,
        owner: undefined,
      };
      machine.made.set(`${expression.function.module}:${expression.function.at}`, closure);
      return ofClosure(closure);
    }
    case 'class':
      return makeClass(machine, expression.class);
    case 'object':
      return evaluateObject(machine, expression);
    case 'array':
      return evaluateArray(machine, expression.elements);
    case 'template':
      return evaluateTemplate(machine, expression);
    case 'binary':
      return evaluateBinary(machine, expression);
    case 'unary': {
      const argument = evaluate(machine, expression.argument);
      if (expression.operator === '!') return negate(argument);
      if (expression.operator === 'typeof' || expression.operator === 'void') return unknown;
      const only = onlyConstant(argument)?.value;
      if (expression.operator === '-' && typeof only === 'number') return constant(-only);
      return transform(argument, { drop: bits.exact, grant: bits.shell | bits.component | bits.sql });
    }
    case 'logical':
      return evaluateLogical(machine, expression.operator, expression.left, expression.right);
    case 'conditional': {
      const test = evaluate(machine, expression.test);
      return fork(
        machine,
        test,
        () => evaluate(machine, expression.consequence),
        () => evaluate(machine, expression.otherwise),
      );
    }
    case 'assign': {
      const right = evaluate(machine, expression.value);
      return assign(machine, expression.target, expression.operator, right, expression.at);
    }
    case 'sequence':
      return expression.items.reduce<Value>((_, item) => (machine.isDead ? nothing : evaluate(machine, item)), nothing);
    case 'await':
      return settle(evaluate(machine, expression.argument));
    case 'import': {
      const source = evaluate(machine, expression.source);
      const request = onlyText(source);
      if (request === undefined) checkImport(machine, source, expression.at);
      return request === undefined ? unknown : importModule(machine, machine.activation.module, request);
    }
    case 'opaque':
      return blend(expression.parts.map((part) => evaluate(machine, part)));
  }
}

/** What a promise comes to. */
export function settle(value: Value): Value {
  let result = value;
  for (const object of value.objects) {
    const inner = object.kind === 'promise' ? object.rest : undefined;
    if (inner !== undefined)
      result = join({ ...result, objects: result.objects.filter((other) => other !== object) }, inner);
  }
  return result;
}

/** Takes both ways unless the condition is known, each with what follows from it. */
export function fork(machine: Machine, test: Value, whenTrue: () => Value, whenFalse: () => Value): Value {
  const known = truth(test);
  const implies = implicationOf(test);
  if (known !== undefined) {
    machine.learn(known ? implies.whenTrue : implies.whenFalse);
    return known ? whenTrue() : whenFalse();
  }
  const before = machine.snapshot();
  machine.learn(implies.whenTrue);
  const first = machine.isDead ? nothing : whenTrue();
  const afterFirst = machine.snapshot();
  machine.restore(before);
  machine.learn(implies.whenFalse);
  const second = machine.isDead ? nothing : whenFalse();
  const afterSecond = machine.snapshot();
  machine.meet([afterFirst, afterSecond]);
  return meetValues({ value: first, facts: afterFirst.facts }, { value: second, facts: afterSecond.facts });
}

function evaluateLogical(machine: Machine, operator: '&&' | '||' | '??', left: Expression, right: Expression): Value {
  const first = evaluate(machine, left);
  const known = truth(first);
  if (known !== undefined && operator !== '??') {
    if (known === (operator === '||')) return first;
    machine.learn(known ? implicationOf(first).whenTrue : implicationOf(first).whenFalse);
    return evaluate(machine, right);
  }
  const implies = implicationOf(first);
  const before = machine.snapshot();
  if (operator !== '??') machine.learn(operator === '&&' ? implies.whenTrue : implies.whenFalse);
  const second = machine.isDead ? nothing : evaluate(machine, right);
  const after = machine.snapshot();
  machine.meet([before, after]);
  if (after.facts.kind === 'impossible' && operator !== '??') {
    // `check(x) || fail()`: whoever goes on has passed.
    machine.restore({
      ...before,
      facts: addFacts(before.facts, operator === '||' ? implies.whenTrue : implies.whenFalse),
    });
    return first;
  }
  const other = implicationOf(second);
  const joined = meetValues({ value: first, facts: before.facts }, { value: second, facts: after.facts });
  if (operator === '??') return { ...joined, implies: undefined };
  const both = (one: 'whenTrue' | 'whenFalse') => addFacts(implies[one], other[one]);
  const opposite = (one: 'whenTrue' | 'whenFalse', over: 'whenTrue' | 'whenFalse') =>
    joinFacts(implies[one], addFacts(implies[over], other[one]));
  return {
    ...joined,
    implies:
      operator === '&&'
        ? { whenTrue: both('whenTrue'), whenFalse: opposite('whenFalse', 'whenTrue') }
        : { whenTrue: opposite('whenTrue', 'whenFalse'), whenFalse: both('whenFalse') },
  };
}

function evaluateObject(machine: Machine, expression: Expression & { kind: 'object' }): Value {
  const object = machine.allocate('object', { at: expression.at });
  let result = ofObject(object);
  for (const { key, value } of expression.entries) {
    const field = evaluate(machine, value);
    if (key === undefined) {
      for (const source of field.objects) {
        for (const [name, inner] of source.fields) writeField(machine, object, name, inner, true);
        if (source.rest !== undefined) writeElement(machine, object, source.rest);
        if (source.kind === 'arguments')
          result = { ...result, objects: [...result.objects, source], taints: field.taints };
      }
      if (field.taints.length > 0 && field.objects.length === 0) writeElement(machine, object, field);
    } else if (typeof key === 'string') writeField(machine, object, key, field, true);
    else {
      const name = onlyText(evaluate(machine, key));
      if (name === undefined) writeElement(machine, object, field);
      else writeField(machine, object, name, field, true);
    }
  }
  noteDefinition(machine, object);
  return result;
}

export function evaluateArguments(machine: Machine, args: readonly Argument[]): Value[] {
  return args.flatMap(({ value, spread }) => {
    const argument = evaluate(machine, value);
    if (!spread) return [argument];
    const [object] = argument.objects;
    if (argument.objects.length === 1 && object?.elements !== undefined && object.rest === undefined)
      return object.elements;
    return [readElement(machine, argument, unknown, 0)];
  });
}

function evaluateArray(machine: Machine, elements: readonly Argument[]): Value {
  return ofObject(machine.allocate('array', { elements: evaluateArguments(machine, elements) }));
}

function evaluateTemplate(machine: Machine, expression: Expression & { kind: 'template' }): Value {
  const values = expression.values.map((part) => evaluate(machine, part));
  const pieces: Value[] = [];
  for (const [at, text] of expression.strings.entries()) {
    pieces.push(constant(text));
    const value = values[at];
    if (value !== undefined) pieces.push(value.objects.length > 0 && value.taints.length === 0 ? unknown : value);
  }
  if (expression.tag !== undefined) {
    const tag = evaluate(machine, expression.tag);
    // A tag may quote what it is given, and `String.raw` does not.
    return tag.externals.some(({ path }) => path.at(-1) === 'raw') ? concatenate(pieces) : unknown;
  }
  return machine.traced(concatenate(pieces), expression.at, 'put into a text');
}

function evaluateBinary(machine: Machine, expression: Expression & { kind: 'binary' }): Value {
  if (expression.left.kind === 'unary' && expression.left.operator === 'typeof') {
    return compare(
      machine,
      expression.operator,
      evaluate(machine, expression.left.argument),
      evaluate(machine, expression.right),
      true,
    );
  }
  const left = evaluate(machine, expression.left);
  const right = evaluate(machine, expression.right);
  if (expression.operator === '+') return machine.traced(concatenate([left, right]), expression.at, 'put into a text');
  return compare(machine, expression.operator, left, right, false);
}
