import { everyOf, mapList, someOf } from '../../builtins/lists.ts';
import { harmless } from '../../engine/bits.ts';
import { call } from '../../engine/call.ts';
import { settle } from '../../engine/evaluate.ts';
import { elementOf, writeElement, writeField } from '../../engine/fields.ts';
import type { Machine } from '../../engine/machine.ts';
import type { Model } from '../../engine/program.ts';
import { blend, transform } from '../../engine/text.ts';
import { constant, join, nothing, ofObject, onlyConstant, onlyText, unknown, type Value } from '../../engine/value.ts';
import { passedOf, remaining } from './arguments.ts';

/** Lists, dictionaries and what goes through them. */

function pair(machine: Machine, elements: Value[]): Value {
  return ofObject(machine.allocate('array', { elements }));
}

function listOf(machine: Machine, rest: Value): Value {
  const list = machine.allocate('array');
  list.rest = rest;
  return { ...ofObject(list), taints: rest.taints };
}

/** Elements while their number is known. */
function known(value: Value | undefined): readonly Value[] | undefined {
  const [object] = value?.objects ?? [];
  const isKnown = value?.objects.length === 1 && value.taints.length === 0 && object?.rest === undefined;
  return isKnown ? object?.elements : undefined;
}

/** Going through a dictionary gives its keys. */
const iterate: Model = (_machine, [value = unknown]) => value;

/** Keys and values in order, so that a table of tools keeps its names. */
export function items(machine: Machine, subject: Value, at: number): Value {
  const [object] = subject.objects;
  if (object === undefined || object.kind !== 'object' || subject.objects.length !== 1) {
    const value = elementOf(machine, subject, at);
    return listOf(machine, pair(machine, [value, value]));
  }
  const list = machine.allocate('array', {
    elements: [...object.fields].map(([name, value]) => pair(machine, [constant(name), value])),
  });
  if (object.rest !== undefined) list.rest = pair(machine, [unknown, object.rest]);
  return ofObject(list);
}

export function keys(machine: Machine, subject: Value, at: number): Value {
  const names = subject.objects.flatMap((object) => [...object.fields.keys()]);
  if (names.length > 0 && subject.taints.length === 0)
    return ofObject(machine.allocate('array', { elements: names.map((name) => constant(name)) }));
  return subject.taints.length === 0 ? unknown : listOf(machine, blend([elementOf(machine, subject, at)]));
}

const enumerate: Model = (machine, [subject = unknown], at) => {
  const elements = known(subject);
  if (elements !== undefined)
    return ofObject(
      machine.allocate('array', { elements: elements.map((element) => pair(machine, [unknown, element])) }),
    );
  const list = machine.allocate('array');
  list.rest = pair(machine, [unknown, elementOf(machine, subject, at)]);
  return ofObject(list);
};

const zip: Model = (machine, lists, at) => {
  const list = machine.allocate('array');
  list.rest = pair(
    machine,
    lists.map((one) => elementOf(machine, one, at)),
  );
  return ofObject(list);
};

/** Pairs of a comprehension, as a dictionary. */
const pairs: Model = (machine, [list = unknown], at) => {
  const made = machine.allocate('object', { at });
  const elements = known(list) ?? [elementOf(machine, list, at)];
  for (const element of elements) {
    const [key, value] = element.objects[0]?.elements ?? [];
    const name = key === undefined ? undefined : onlyText(key);
    if (value === undefined) continue;
    if (name === undefined) writeElement(machine, made, value);
    else writeField(machine, made, name, value, true);
  }
  return ofObject(made);
};

const dictionary: Model = (machine, args, at) => {
  const passed = passedOf(args);
  const { own, value } = remaining(machine, passed, new Set(), at);
  const [source] = passed.positional;
  for (const object of source?.objects ?? [])
    for (const [name, field] of object.fields) if (!own.fields.has(name)) own.fields.set(name, field);
  const isArguments = source?.objects.some((object) => object.kind === 'arguments') === true;
  return isArguments && source !== undefined ? join(value, source) : value;
};

const first: Model = (_machine, [value = unknown]) => value;
const gather: Model = (machine, args) =>
  ofObject(machine.allocate('array', { elements: passedOf(args).positional.map(settle) }));

/** Runs a function somewhere else, with the arguments that follow it. */
const runElsewhere =
  (skipped: number): Model =>
  (machine, args, at) => {
    const [callee, ...others] = args.slice(skipped);
    return callee === undefined ? unknown : call(machine, callee, others, at);
  };

/** A text cannot be compared with a number, so that what comes out is one. */
const extremes: Model = (machine, args, at) => {
  const { positional } = passedOf(args);
  if (positional.length === 1) return elementOf(machine, positional[0] ?? unknown, at);
  const isNumber = positional.some((one) => typeof onlyConstant(one)?.value === 'number');
  return isNumber ? transform(blend(positional), { grant: harmless }) : blend(positional);
};

const stop: Model = (machine) => {
  machine.die();
  return nothing;
};

export const listModels: Readonly<Record<string, Model>> = {
  'builtins.#iterate': iterate,
  'builtins.#each': (machine, [list = unknown, callback], at) => mapList(machine, list, callback, at),
  'builtins.#any': (machine, [list = unknown, callback], at) => someOf(machine, list, callback, at),
  'builtins.#all': (machine, [list = unknown, callback], at) => everyOf(machine, list, callback, at),
  'builtins.#element': (machine, [list = unknown], at) => elementOf(machine, list, at),
  'builtins.#pairs': pairs,
  'builtins.list': first,
  'builtins.tuple': first,
  'builtins.set': first,
  'builtins.frozenset': first,
  'builtins.sorted': first,
  'builtins.reversed': first,
  'builtins.iter': first,
  'builtins.vars': first,
  'builtins.next': (machine, [list = unknown], at) => elementOf(machine, list, at),
  'builtins.min': extremes,
  'builtins.max': extremes,
  'builtins.dict': dictionary,
  'builtins.enumerate': enumerate,
  'builtins.zip': zip,
  'builtins.map': (machine, [callback, list = unknown], at) => mapList(machine, list, callback, at),
  'builtins.filter': (_machine, [, list = unknown]) => list,
  'builtins.range': () => unknown,
  'builtins.print': () => unknown,
  'builtins.exit': stop,
  'builtins.quit': stop,
  'sys.exit': stop,
  'os._exit': stop,
  'contextlib.closing': first,
  'contextlib.aclosing': first,
  'contextlib.nullcontext': first,
  'copy.copy': first,
  'copy.deepcopy': first,
  'typing.cast': (_machine, [, value = unknown]) => value,
  'asyncio.run': first,
  'asyncio.wait_for': first,
  'asyncio.shield': first,
  'asyncio.create_task': first,
  'asyncio.ensure_future': first,
  'asyncio.gather': gather,
  'asyncio.to_thread': runElsewhere(0),
  'anyio.to_thread.run_sync': runElsewhere(0),
  'functools.partial': (machine, args, at) => {
    runElsewhere(0)(machine, args, at, { module: '', path: [], name: '', receiver: undefined });
    return args[0] ?? unknown;
  },
};
