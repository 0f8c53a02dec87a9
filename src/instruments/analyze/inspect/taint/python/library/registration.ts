import type { HandlerKind } from '../../contract.ts';
import { callClosure } from '../../engine/call.ts';
import { evaluate, settle } from '../../engine/evaluate.ts';
import type { Machine } from '../../engine/machine.ts';
import type { Registration } from '../../engine/observation.ts';
import type { Model } from '../../engine/program.ts';
import { objectSchema, type Schema } from '../../engine/schema.ts';
import { type Closure, constant, ofClosure, onlyText, unknown, type Value } from '../../engine/value.ts';
import type { Expression, FunctionIr, ObjectEntry } from '../../ir.ts';
import { anything, constantOf, keywordMark, plain } from '../context.ts';
import { isPythonFunction, type PythonFunction } from '../function-ir.ts';
import type { RegistrationShape } from '../registrations.ts';
import { schemaOf, withFields } from './types.ts';

/** Where arguments come in: a server was given a function. */

const kinds: Readonly<Record<RegistrationShape, HandlerKind | undefined>> = {
  tool: 'tool',
  resource: 'resource',
  prompt: 'prompt',
  call: 'tool',
  read: 'resource',
  get: 'prompt',
  list: undefined,
  request: 'tool',
  'call-parameters': 'tool',
  'read-parameters': 'resource',
  'get-parameters': 'prompt',
};

/** What the server itself passes. */
const contextNames = /^(?:ctx|context|self|cls)$/;

interface Wanted {
  readonly name: string;
  readonly schema: Schema;
}

/** Evaluates the types where the function was made, so that a model of another module is found. */
function wantedOf(machine: Machine, target: PythonFunction, closure: Closure): Wanted[] {
  const outer = machine.activation;
  if (closure.scope !== undefined) machine.activation = closure.scope;
  try {
    return target.signature.parameters.flatMap((parameter): Wanted[] => {
      if (contextNames.test(parameter.name) || parameter.kind === 'rest' || parameter.kind === 'keywords') return [];
      const [type, ...others] = parameter.type().map((expression) => evaluate(machine, expression));
      const isContext = type?.externals.some(({ path }) => path.at(-1) === 'Context') === true;
      return isContext ? [] : [{ name: parameter.name, schema: withFields(schemaOf(type ?? unknown), others) }];
    });
  } finally {
    machine.activation = outer;
  }
}

/** A function that takes what the engine gives a handler, and calls the target as its server would. */
function adapt(
  machine: Machine,
  closure: Closure,
  target: PythonFunction,
  shape: RegistrationShape,
  wanted: readonly Wanted[],
): Closure {
  const { adapter } = target.signature;
  const { at } = target;
  const input: Expression = { kind: 'variable', id: adapter.input, name: 'arguments' };
  const callee: Expression = { kind: 'variable', id: adapter.target, name: target.name };
  const called: Expression = {
    kind: 'call',
    callee,
    args: argumentsFor(shape, target, wanted, input).map(plain),
    construct: false,
    at,
  };
  const made: FunctionIr = {
    id: adapter.function,
    name: '',
    module: target.module,
    at,
    end: target.end,
    arrow: false,
    body: () => ({
      parameters: [{ target: { kind: 'variable', id: adapter.input, name: 'arguments' }, rest: false }],
      statements: [{ kind: 'return', value: { kind: 'await', argument: called }, at }],
    }),
  };
  const scope = machine.activate(target.module, undefined, undefined, undefined);
  scope.variables.set(adapter.target, ofClosure(closure));
  return { function: made, scope, receiver: undefined, home: undefined, owner: undefined };
}

function argumentsFor(
  shape: RegistrationShape,
  target: PythonFunction,
  wanted: readonly Wanted[],
  input: Expression,
): Expression[] {
  const { at } = target;
  const read = (object: Expression, property: string): Expression => ({ kind: 'member', object, property, at });
  if (shape === 'request') return [input];
  const params = read(input, 'params');
  if (shape.endsWith('-parameters')) return [anything, params];
  if (shape === 'read') return [read(params, 'uri')];
  if (shape === 'call' || shape === 'get') return [read(params, 'name'), read(params, 'arguments')];
  const entries: ObjectEntry[] = wanted.map(({ name }) => ({ key: name, value: read(input, name) }));
  if (target.signature.wrapped === undefined && target.signature.parameters.some(({ kind }) => kind === 'keywords'))
    entries.push({ key: undefined, value: input });
  return [{ kind: 'object', entries: [...entries, { key: keywordMark, value: constantOf(true) }], at }];
}

const mostWrappings = 8;

/** The function whose signature a server sees. */
function shownBy(
  machine: Machine,
  closure: Closure,
  target: PythonFunction,
): { readonly closure: Closure; readonly target: PythonFunction } {
  let shown = { closure, target };
  const outer = machine.activation;
  for (let count = 0; count < mostWrappings && shown.target.signature.wrapped !== undefined; count += 1) {
    machine.activation = shown.closure.scope ?? outer;
    const inner = evaluate(machine, shown.target.signature.wrapped()).closures.find((one) =>
      isPythonFunction(one.function),
    );
    machine.activation = outer;
    if (inner === undefined || !isPythonFunction(inner.function)) break;
    shown = { closure: inner, target: inner.function };
  }
  return shown;
}

function isHidden(machine: Machine, closure: Closure, target: PythonFunction): boolean {
  return target.signature.wrapped !== undefined && shownBy(machine, closure, target).target === target;
}

/** `tool('lists files')`: some servers take what a tool is for in the place of its name, which has no spaces. */
function toldOf(first: string | undefined, description: string | undefined) {
  const isName = first === undefined || !/\s/.test(first);
  return isName ? { name: first, description } : { name: undefined, description: description ?? first };
}

export const registerHandler: Model = (machine, [shapeValue, handler, name, description], at) => {
  const shape = (onlyText(shapeValue ?? unknown) ?? 'tool') as RegistrationShape;
  for (const closure of handler?.closures ?? []) {
    const target = closure.function;
    // What wraps something that is not known here is walked again from where it is known.
    if (!isPythonFunction(target) || isHidden(machine, closure, target)) continue;
    machine.observedCalls.add(`${machine.activation.module}:${at}`);
    if (shape === 'list') readTools(machine, closure, at);
    else register(machine, shape, closure, target, toldOf(onlyText(name ?? unknown), onlyText(description ?? unknown)));
  }
  return constant(null);
};

function register(
  machine: Machine,
  shape: RegistrationShape,
  closure: Closure,
  target: PythonFunction,
  told: { readonly name: string | undefined; readonly description: string | undefined },
): void {
  const kind = kinds[shape];
  if (kind === undefined) return;
  const isDirect = shape === 'tool' || shape === 'resource' || shape === 'prompt';
  const shown = shownBy(machine, closure, target);
  const wanted = isDirect ? wantedOf(machine, shown.target, shown.closure) : [];
  const registration: Registration = {
    kind,
    name: isDirect ? (told.name ?? shown.target.name) : undefined,
    description: told.description ?? shown.target.signature.doc,
    closure: adapt(machine, closure, target, shape, wanted),
    schema: isDirect ? objectSchema(new Map(wanted.map((one) => [one.name, one.schema]))) : undefined,
    shape: isDirect ? 'arguments' : 'request',
    module: shown.target.module,
    at: shown.target.at,
  };
  const isKnown = machine.registrations.some(
    (other) =>
      other.module === registration.module &&
      other.at === registration.at &&
      other.name === registration.name &&
      other.kind === kind,
  );
  if (!isKnown) machine.registrations.push(registration);
}

/** The list of tools tells what each is for. */
function readTools(machine: Machine, closure: Closure, at: number): void {
  const before = machine.facts;
  const listed = settle(callClosure(machine, closure, [], at));
  machine.facts = before;
  const lists = listed.objects.flatMap((object) => [object, ...(object.fields.get('tools')?.objects ?? [])]);
  const elements = lists.flatMap((list) => [...(list.elements ?? []), ...(list.rest === undefined ? [] : [list.rest])]);
  for (const tool of elements.flatMap((element: Value) => element.objects)) {
    const name = onlyText(tool.fields.get('name') ?? unknown);
    const properties =
      (tool.fields.get('inputSchema') ?? tool.fields.get('input_schema'))?.objects.flatMap(
        (schema) => schema.fields.get('properties')?.objects ?? [],
      ) ?? [];
    const parameters = properties.flatMap((object) => [...object.fields.keys()]);
    if (name !== undefined)
      machine.listed.set(name, { description: tool.fields.get('description')?.text ?? '', parameters });
  }
}
