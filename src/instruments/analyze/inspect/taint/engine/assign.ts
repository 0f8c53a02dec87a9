import type { Pattern } from '../ir.ts';
import { evaluate } from './evaluate.ts';
import { elementOf, readElement, readField, writeElement, writeField } from './fields.ts';
import type { Machine } from './machine.ts';
import { concatenate } from './text.ts';
import { constant, join, onlyText, truth, unknown, type Value } from './value.ts';

/** Gives a variable of the current call its value; one of an outer call may be seen by others, so it is added to. */
export function setVariable(machine: Machine, id: number, value: Value): void {
  const holder = machine.activation.holder(id) ?? machine.activation;
  machine.touchVariables(holder);
  const before = holder.variables.get(id);
  const isOwn = holder === machine.activation;
  holder.variables.set(id, isOwn || before === undefined ? value : join(before, value));
}

/** Puts a value into a pattern; `isNew` for a declaration, which belongs to the current call. */
export function bind(machine: Machine, pattern: Pattern, value: Value, isNew: boolean, at: number): void {
  switch (pattern.kind) {
    case 'variable':
      if (isNew) machine.activation.variables.set(pattern.id, value);
      else setVariable(machine, pattern.id, value);
      return;
    case 'default': {
      const isMissing = truth(value) === false && value.constants.every((one) => one === undefined);
      const mayBeMissing = value.constants.includes(undefined);
      const bound = isMissing
        ? evaluate(machine, pattern.fallback)
        : mayBeMissing
          ? join(value, evaluate(machine, pattern.fallback))
          : value;
      bind(machine, pattern.target, bound, isNew, at);
      return;
    }
    case 'fields':
      for (const { key, target } of pattern.fields) {
        const field =
          typeof key === 'string'
            ? readField(machine, value, key, at)
            : readElement(machine, value, evaluate(machine, key), at);
        bind(machine, target, field, isNew, at);
      }
      if (pattern.rest !== undefined) bind(machine, pattern.rest, value, isNew, at);
      return;
    case 'elements':
      for (const [index, target] of pattern.elements.entries()) {
        if (target !== undefined) bind(machine, target, readField(machine, value, String(index), at), isNew, at);
      }
      if (pattern.rest !== undefined) bind(machine, pattern.rest, elementOf(machine, value, at), isNew, at);
      return;
    case 'member': {
      const object = evaluate(machine, pattern.object);
      const name =
        typeof pattern.property === 'string' ? pattern.property : onlyText(evaluate(machine, pattern.property));
      for (const target of object.objects) {
        if (name === undefined) writeElement(machine, target, value);
        else writeField(machine, target, name, value, false);
      }
      return;
    }
    case 'nothing':
  }
}

export function assign(machine: Machine, target: Pattern, operator: string, right: Value, at: number): Value {
  if (operator === '=') {
    bind(machine, target, right, false, at);
    return right;
  }
  const before =
    target.kind === 'variable' ? (machine.activation.holder(target.id)?.variables.get(target.id) ?? unknown) : unknown;
  const isChoice = operator === '||=' || operator === '&&=' || operator === '??=';
  const value =
    operator === '+=' ? concatenate([before, right]) : isChoice ? join(before, right) : join(constant(0), unknown);
  bind(machine, target, value, false, at);
  return value;
}
