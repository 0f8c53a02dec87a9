import type { ClassIr } from '../ir.ts';
import { callClosure } from './call.ts';
import { evaluate } from './evaluate.ts';
import { writeField } from './fields.ts';
import type { Machine } from './machine.ts';
import { type Closure, type HeapObject, join, nothing, ofObject, unknown, type Value } from './value.ts';

/** A class is an object whose methods lie under `#name`, apart from its static fields. */
export function makeClass(machine: Machine, definition: ClassIr): Value {
  const type = machine.allocate('class', {
    at: definition.at,
    definition: { class: definition, scope: machine.activation, module: machine.activation.module },
  });
  if (definition.parent !== undefined) {
    const parent = evaluate(machine, definition.parent);
    type.prototype = parent.objects.find((object) => object.kind === 'class');
    if (type.prototype === undefined && parent.externals.length > 0) type.fields.set('#extends', parent);
  }
  machine.classes.set(`${machine.activation.module}:${definition.at}`, type);
  const receiver = ofObject(type);
  for (const member of definition.members) {
    const name = typeof member.name === 'string' ? member.name : undefined;
    if (name === undefined || member.value === undefined) continue;
    if (member.isStatic) writeField(machine, type, name, withReceiver(evaluate(machine, member.value), receiver), true);
    else if (member.isMethod) {
      writeField(machine, type, `#${name}`, evaluate(machine, member.value), true);
      if (member.isGetter) writeField(machine, type, `get ${name}`, nothing, true);
    }
  }
  return receiver;
}

function withReceiver(value: Value, receiver: Value): Value {
  return {
    ...value,
    closures: value.closures.map((closure) => ({
      ...closure,
      receiver: closure.function.arrow ? closure.receiver : receiver,
    })),
  };
}

export function construct(machine: Machine, type: HeapObject, args: readonly Value[], at: number): Value {
  const instance = machine.allocate('object', { at });
  instance.prototype = type;
  const self = ofObject(instance);
  initialise(machine, type, self, args, at);
  return self;
}

/** Runs the fields and the constructor of a class on an instance; `super(…)` comes here too. */
export function initialise(machine: Machine, type: HeapObject, self: Value, args: readonly Value[], at: number): void {
  const { definition } = type;
  if (definition === undefined) return;
  const { class: shape, scope, module } = definition;
  if (shape.constructor_ === undefined && type.prototype !== undefined)
    initialise(machine, type.prototype, self, args, at);
  const outer = machine.activation;
  machine.activation = machine.activate(module, scope, self, type);
  for (const member of shape.members) {
    if (member.isStatic || member.isMethod || typeof member.name !== 'string') continue;
    const value = member.value === undefined ? unknown : evaluate(machine, member.value);
    for (const instance of self.objects) {
      const before = instance.fields.get(member.name);
      instance.fields.set(member.name, before === undefined ? value : join(before, value));
    }
  }
  machine.activation = outer;
  if (shape.constructor_ === undefined) return;
  const closure: Closure = { function: shape.constructor_, scope, receiver: self, home: type, owner: undefined };
  callClosure(machine, closure, args, at);
}
