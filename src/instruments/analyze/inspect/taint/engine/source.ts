import { declaredSchema, schemaOf } from '../builtins/zod.ts';
import type { HandlerKind } from '../contract.ts';
import type { CallExpression, Expression } from '../ir.ts';
import { callClosure } from './call.ts';
import { settle } from './evaluate.ts';
import type { Machine } from './machine.ts';
import type { Registration } from './observation.ts';
import { type Closure, type HeapObject, onlyText, unknown, type Value } from './value.ts';

/** Where arguments come in: calls that hand a function to an MCP server. */

export interface ObservedCall {
  readonly name: string;
  readonly receiver: Value | undefined;
  readonly args: readonly Value[];
  readonly expression: CallExpression;
}

const handlerFields = ['handler', 'execute', 'run', 'callback', 'cb', 'call', 'invoke', 'handle', 'func', 'fn'];
const schemaFields = [
  'inputSchema',
  'parameters',
  'schema',
  'paramsSchema',
  'args',
  'input',
  'argsSchema',
  'input_schema',
];

function register(machine: Machine, registration: Omit<Registration, 'module' | 'at'>): void {
  const { closure } = registration;
  const isKnown = machine.registrations.some(
    (other) =>
      other.closure.function === closure.function &&
      other.name === registration.name &&
      other.kind === registration.kind,
  );
  if (!isKnown)
    machine.registrations.push({ ...registration, module: closure.function.module, at: closure.function.at });
}

function textField(object: HeapObject, name: string): string {
  const value = object.fields.get(name);
  return value?.text ?? '';
}

/** A tool as a record: name, schema and function. */
function registerRecord(machine: Machine, object: HeapObject, key: string | undefined): boolean {
  const handler = handlerFields
    .map((field) => object.fields.get(field))
    .find((value) => value !== undefined && value.closures.length > 0);
  if (handler === undefined) return false;
  const name = onlyText(object.fields.get('name') ?? unknown) ?? onlyText(object.fields.get('id') ?? unknown) ?? key;
  const schema = schemaFields.map((field) => schemaOf(object.fields.get(field))).find((one) => one !== undefined);
  const description = textField(object, 'description');
  for (const closure of handler.closures) {
    const receiver: Value = { ...unknown, isOpen: false, objects: [object] };
    register(machine, {
      kind: 'tool',
      name,
      description,
      closure: { ...closure, receiver: closure.receiver ?? receiver },
      schema,
      shape: 'arguments',
    });
  }
  return true;
}

/** Definitions that no known call takes are tried in the end: there are many frameworks. */
export function noteDefinition(machine: Machine, object: HeapObject): void {
  const hasName = onlyText(object.fields.get('name') ?? unknown) !== undefined;
  const hasMore = object.fields.has('description') || schemaFields.some((field) => object.fields.has(field));
  const hasHandler = handlerFields.some((field) => (object.fields.get(field)?.closures.length ?? 0) > 0);
  if (hasName && hasMore && hasHandler && machine.definitions.length < 2000) machine.definitions.push(object);
}

export function registerDefinition(machine: Machine, object: HeapObject): void {
  registerRecord(machine, object, undefined);
}

function lastFunction(args: readonly Value[]): readonly Closure[] {
  return args.findLast((argument) => argument.closures.length > 0)?.closures ?? [];
}

interface Description {
  readonly kind: HandlerKind;
  readonly shape: Registration['shape'];
}

const callNames: Readonly<Record<string, Description>> = {
  registerTool: { kind: 'tool', shape: 'arguments' },
  tool: { kind: 'tool', shape: 'arguments' },
  addTool: { kind: 'tool', shape: 'arguments' },
  registerAppTool: { kind: 'tool', shape: 'arguments' },
  registerToolTask: { kind: 'tool', shape: 'arguments' },
  registerResource: { kind: 'resource', shape: 'resource' },
  resource: { kind: 'resource', shape: 'resource' },
  registerPrompt: { kind: 'prompt', shape: 'arguments' },
  prompt: { kind: 'prompt', shape: 'arguments' },
};

const recordNames = new Set([
  'addTool',
  'addTools',
  'registerTool',
  'registerTools',
  'tool',
  'createTool',
  'defineTool',
  'defineMcpTool',
  'addPrompt',
  'addResource',
]);

/**
 * A call that may register something. Its arguments are values, so a wrapped or imported handler is the handler. True when
 * it was one: then the handler is called later, as a client would, and not where it is handed over.
 */
export function observeRegistration(machine: Machine, { name, receiver, args, expression }: ObservedCall): boolean {
  if (name === 'setRequestHandler') return observeRequestHandler(machine, args, expression);
  if (recordNames.has(name)) {
    const records = args
      .flatMap((argument) => argument.objects)
      .flatMap((object) =>
        object.elements === undefined ? [object] : object.elements.flatMap((element) => element.objects),
      );
    const taken = records.filter((record) => registerRecord(machine, record, undefined));
    if (taken.length > 0) {
      observed(machine, expression);
      // What makes a tool out of a record gives it back.
      return receiver !== undefined && name !== 'tool';
    }
  }
  const described = Object.hasOwn(callNames, name) ? callNames[name] : undefined;
  if (described !== undefined && args.length >= 2) return registerCall(machine, described, args, expression);
  if (expression.construct || name === 'super') registerTables(machine, args);
  return false;
}

function observed(machine: Machine, expression: CallExpression): void {
  machine.observedCalls.add(`${machine.activation.module}:${expression.at}`);
}

function registerCall(
  machine: Machine,
  { kind, shape }: Description,
  args: readonly Value[],
  expression: CallExpression,
): boolean {
  const closures = lastFunction(args);
  // `registerAppTool(server, name, …)` and its kind put the server first.
  const nameAt = args.findIndex((argument) => argument.constants.some((one) => typeof one === 'string'));
  if (closures.length > 0) observed(machine, expression);
  const name = onlyText(args[nameAt] ?? unknown);
  const others = args.slice(nameAt < 0 ? 0 : nameAt + 1);
  const config = others.flatMap((argument) => argument.objects).filter((object) => object.kind === 'object');
  const schemas = [
    ...config.flatMap((object) => schemaFields.map((field) => schemaOf(object.fields.get(field)))),
    ...others.map(schemaOf),
  ];
  const described =
    config.map((object) => textField(object, 'description')).find((text) => text !== '') ??
    others.find((argument) => argument.text !== undefined)?.text ??
    '';
  for (const closure of closures) {
    register(machine, {
      kind,
      shape,
      name,
      description: described,
      closure,
      schema: schemas.find((schema) => schema !== undefined),
    });
  }
  return closures.length > 0;
}

/** `new Server({ tools: { name: { execute } } })`. */
function registerTables(machine: Machine, args: readonly Value[]): void {
  for (const object of args.flatMap((argument) => argument.objects)) {
    const tools = object.fields.get('tools');
    for (const table of tools?.objects ?? []) {
      for (const [key, value] of table.fields) for (const record of value.objects) registerRecord(machine, record, key);
      for (const element of table.elements ?? [])
        for (const record of element.objects) registerRecord(machine, record, undefined);
    }
  }
}

function requestName(expression: Expression | undefined, value: Value | undefined): string {
  const text = value === undefined ? undefined : onlyText(value);
  if (text !== undefined) return text;
  const external = value?.externals[0]?.path.at(-1);
  if (external !== undefined) return external;
  if (expression?.kind === 'variable' || expression?.kind === 'global') return expression.name;
  return expression?.kind === 'member' ? expression.property : '';
}

function observeRequestHandler(machine: Machine, args: readonly Value[], expression: CallExpression): boolean {
  const name = requestName(expression.args[0]?.value, args[0]);
  const closures = lastFunction(args);
  if (closures.length > 0) observed(machine, expression);
  for (const closure of closures) {
    if (/ListTools|tools\/list/.test(name)) readDescriptions(machine, closure, expression.at);
    const kind = kindOfRequest(machine, name, closure);
    if (kind !== undefined)
      register(machine, { kind, name: undefined, description: '', closure, schema: undefined, shape: 'request' });
  }
  return closures.length > 0;
}

function kindOfRequest(machine: Machine, name: string, closure: Closure): HandlerKind | undefined {
  if (/CallTool|tools\/call/.test(name)) return 'tool';
  if (/ReadResource|resources\/read/.test(name)) return 'resource';
  if (/GetPrompt|prompts\/get/.test(name)) return 'prompt';
  if (/List|Subscribe|Complete|SetLevel|Ping|Initialize|Cancel|\//.test(name)) return undefined;
  // Names are gone from a minified bundle; what the function reads is not.
  const { function: target } = closure;
  const text = machine.program.textOf(target.module).slice(target.at, target.end);
  return /\barguments\b/.test(text) && /\bparams\b/.test(text) ? 'tool' : undefined;
}

/** The list of tools tells what each is for. */
function readDescriptions(machine: Machine, closure: Closure, at: number): void {
  const before = machine.facts;
  const listed = settle(callClosure(machine, closure, [unknown], at));
  machine.facts = before;
  for (const object of listed.objects) {
    const tools = object.fields.get('tools');
    for (const element of tools?.objects.flatMap((list) => [
      ...(list.elements ?? []),
      ...(list.rest === undefined ? [] : [list.rest]),
    ]) ?? []) {
      for (const tool of element.objects) {
        const name = onlyText(tool.fields.get('name') ?? unknown);
        const schema = tool.fields.get('inputSchema');
        const parameters = [...((schemaOf(schema) ?? declaredSchema(schema))?.fields?.keys() ?? [])];
        if (name !== undefined) machine.listed.set(name, { description: textField(tool, 'description'), parameters });
      }
    }
  }
}
