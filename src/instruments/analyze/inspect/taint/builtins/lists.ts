import { call } from '../engine/call.ts';
import { addFacts, bitsFor, type Facts, impossible, joinFacts, noFacts } from '../engine/facts.ts';
import { append, elementOf } from '../engine/fields.ts';
import type { Machine } from '../engine/machine.ts';
import { implicationOf, join, joinAll, nothing, ofBoolean, ofObject, unknown, type Value } from '../engine/value.ts';

/** Functions that go through a list and call back. */

const mostSeparate = 120;

/** Elements one by one while they are few and known, and otherwise one that stands for all. */
function turnsOf(machine: Machine, list: Value, at: number): readonly Value[] {
  const [object] = list.objects;
  const isKnown = list.objects.length === 1 && list.taints.length === 0 && object?.rest === undefined;
  const elements = isKnown ? object?.elements : undefined;
  if (elements !== undefined && elements.length <= mostSeparate) return elements;
  return [elementOf(machine, list, at)];
}

interface Turn {
  readonly element: Value;
  readonly result: Value;
}

/** What was checked about the elements of an argument holds for all of them once the list has been gone through. */
function run(machine: Machine, list: Value, callback: Value | undefined, at: number): readonly Turn[] {
  if (callback === undefined) return [];
  const before = machine.facts;
  const turns: Turn[] = [];
  let after: Facts = impossible;
  for (const element of turnsOf(machine, list, at)) {
    machine.facts = before;
    turns.push({ element, result: call(machine, callback, [element, unknown, list], at) });
    after = joinFacts(after, machine.facts);
  }
  const isArgument = list.taints.length > 0;
  machine.facts = isArgument && after.kind !== 'impossible' ? after : before;
  return turns;
}

export function mapList(machine: Machine, list: Value, callback: Value | undefined, at: number): Value {
  const results = run(machine, list, callback, at).map((turn) => turn.result);
  const mapped = machine.allocate('array', { elements: results.map((result) => ({ ...result, implies: undefined })) });
  const [object] = list.objects;
  if (object?.elements === undefined || object.rest !== undefined || list.objects.length !== 1) {
    mapped.rest = joinAll(mapped.elements ?? []);
    mapped.elements = [];
  }
  return { ...ofObject(mapped), taints: list.taints.length > 0 ? joinAll(results).taints : [] };
}

export function forEach(machine: Machine, list: Value, callback: Value | undefined, at: number): Value {
  run(machine, list, callback, at);
  return unknown;
}

/** Everything left has passed. */
function passed({ element, result }: Turn): Value {
  const { whenTrue } = implicationOf(result);
  if (element.taints.length === 0 || whenTrue.kind === 'impossible') return element;
  return {
    ...element,
    taints: element.taints.map((taint) => ({ ...taint, bits: taint.bits | bitsFor(whenTrue, taint.label) })),
  };
}

export function filter(machine: Machine, list: Value, callback: Value | undefined, at: number): Value {
  const before = machine.facts;
  const turns = run(machine, list, callback, at);
  machine.facts = before;
  if (list.taints.length === 0) return list;
  return { ...list, taints: joinAll(turns.map(passed)).taints };
}

export function find(machine: Machine, list: Value, callback: Value | undefined, at: number): Value {
  const before = machine.facts;
  const turns = run(machine, list, callback, at);
  machine.facts = before;
  return { ...join(joinAll(turns.map(passed)), unknown), implies: some(turns) };
}

function some(turns: readonly Turn[]) {
  let [whenTrue, whenFalse]: [Facts, Facts] = [impossible, noFacts];
  for (const { result } of turns) {
    const implies = implicationOf(result);
    whenTrue = joinFacts(whenTrue, implies.whenTrue);
    whenFalse = addFacts(whenFalse, implies.whenFalse);
  }
  return { whenTrue, whenFalse: whenFalse.kind === 'impossible' ? noFacts : whenFalse };
}

export function someOf(machine: Machine, list: Value, callback: Value | undefined, at: number): Value {
  const before = machine.facts;
  const turns = run(machine, list, callback, at);
  machine.facts = before;
  return ofBoolean(some(turns));
}

export function everyOf(machine: Machine, list: Value, callback: Value | undefined, at: number): Value {
  const before = machine.facts;
  const turns = run(machine, list, callback, at);
  machine.facts = before;
  let [whenTrue, whenFalse]: [Facts, Facts] = [noFacts, impossible];
  for (const { result } of turns) {
    const implies = implicationOf(result);
    whenTrue = addFacts(whenTrue, implies.whenTrue);
    whenFalse = joinFacts(whenFalse, implies.whenFalse);
  }
  return ofBoolean({ whenTrue: whenTrue.kind === 'impossible' ? noFacts : whenTrue, whenFalse });
}

export function reduce(
  machine: Machine,
  list: Value,
  callback: Value | undefined,
  initial: Value | undefined,
  at: number,
): Value {
  let result = initial ?? nothing;
  if (callback === undefined) return result;
  for (const element of turnsOf(machine, list, at)) {
    const before = machine.facts;
    result = join(result, call(machine, callback, [result === nothing ? element : result, element], at));
    machine.facts = before;
  }
  return { ...result, implies: undefined };
}

export function push(machine: Machine, list: Value, args: readonly Value[]): Value {
  for (const object of list.objects) for (const argument of args) append(machine, object, argument);
  return unknown;
}

/** All elements of several lists. */
export function concatLists(machine: Machine, list: Value, args: readonly Value[], at: number): Value {
  const result = machine.allocate('array');
  for (const part of [list, ...args]) {
    const [object] = part.objects;
    if (part.objects.length === 1 && object?.elements !== undefined && object.rest === undefined) {
      for (const element of object.elements) append(machine, result, element);
    } else result.rest = join(result.rest ?? nothing, part.objects.length > 0 ? elementOf(machine, part, at) : part);
  }
  return { ...ofObject(result), taints: list.taints };
}
