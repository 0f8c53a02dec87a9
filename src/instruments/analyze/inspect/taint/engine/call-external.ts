import { makeSchema } from '../builtins/zod.ts';
import { call, callBack } from './call.ts';
import type { Machine } from './machine.ts';
import { importModule } from './modules.ts';
import { checkSink } from './sink.ts';
import { blend } from './text.ts';
import { type External, join, ofExternal, onlyText, type Value } from './value.ts';

const schemaModules = /^(?:zod(?:\/v\d|\/mini|\/v4-mini)?|@hono\/zod-openapi)$/;

/** A call of something that is not analysed: a sink, a function whose effect is known, or neither. */
export function callExternal(machine: Machine, external: External, args: readonly Value[], at: number): Value {
  const { module, path } = external;
  if (schemaModules.test(module))
    return makeSchema(path.filter((name) => name !== 'z' && name !== 'coerce').at(-1) ?? '', args);
  if (module === 'require' || (module === 'module' && path.at(-1) === 'require')) return callRequire(machine, args);
  if (module === 'module' && path.at(-1) === 'createRequire') return ofExternal('require');
  // `promisify(exec)` is `exec`.
  if (module === 'util' && path.at(-1) === 'promisify') return args[0] ?? ofExternal(module, path);
  // A schema that is not known gives back what it is given: `ToolSchema.parse({ name: … })`.
  if (
    /^(?:parse|parseAsync|create|assert)$/.test(path.at(-1) ?? '') &&
    args[0] !== undefined &&
    args[0].objects.length > 0 &&
    !isGlobal(module)
  )
    return args[0];
  const isSink = checkSink(machine, external, args, at);
  const { library } = machine.program;
  const model = library.findModel(module, path);
  if (model !== undefined) return model(machine, args, at, external);
  const result = ofExternal(module, path);
  // Methods that texts and lists have: `process.argv.some(…)`.
  const name = path.at(-1) ?? '';
  const { receiver } = external;
  if (!isSink && receiver !== undefined && library.isMethod(name)) {
    const modelled = library.callMethod(machine, receiver, name, args, at);
    // An answer is an answer; only what may be an object of the package goes on as one.
    return receiver.taints.length > 0 || modelled.implies !== undefined ? modelled : join(modelled, result);
  }
  const before = machine.facts;
  callBack(machine, args, at);
  machine.facts = before;
  if (isSink) return result;
  const isPlainFunction = path.length <= 1 && !path.includes('new');
  return isPlainFunction ? join(result, blend(args)) : { ...result, isOpen: true };
}

function isGlobal(module: string): boolean {
  return /^[A-Z]/.test(module);
}

function callRequire(machine: Machine, args: readonly Value[]): Value {
  const request = onlyText(args[0] ?? ofExternal(''));
  return request === undefined ? ofExternal('') : importModule(machine, machine.activation.module, request);
}

/** Calls a callback that a known function was given. */
export function callWith(machine: Machine, callback: Value | undefined, args: readonly Value[], at: number): void {
  if (callback === undefined) return;
  const before = machine.facts;
  call(machine, callback, args, at);
  machine.facts = before;
}
