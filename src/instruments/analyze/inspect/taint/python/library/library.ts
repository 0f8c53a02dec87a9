import type { Library, Model } from '../../engine/program.ts';
import { checkMethodSink } from '../../engine/sink.ts';
import { ofExternal, unknown } from '../../engine/value.ts';
import { passedOf, remaining } from './arguments.ts';
import { bindParameters, fillFields } from './binding.ts';
import { checkModels } from './checks.ts';
import { listModels } from './lists.ts';
import { callMethod, isMethod } from './methods.ts';
import { findDigest, networkModels } from './network.ts';
import { findPathModel, pathModels } from './paths.ts';
import { findGitModel, findStart, loadYaml } from './processes.ts';
import { registerHandler } from './registration.ts';
import { textModels } from './text.ts';
import { typeModels } from './types.ts';

const models: Readonly<Record<string, Model>> = {
  ...checkModels,
  ...listModels,
  ...networkModels,
  ...pathModels,
  ...textModels,
  ...typeModels,
  'builtins.#bind': bindParameters,
  'builtins.#fill': fillFields,
  'builtins.#register': registerHandler,
  'yaml.load': loadYaml,
  'builtins.getattr': (machine, [object = unknown, name = unknown], at) =>
    machine.program.library.callMethod(machine, object, 'get', [name], at),
};

/** Records of the protocol's own types are what they were made of. */
const recordTypes = new Set(['Tool', 'Prompt', 'Resource', 'ListToolsResult', 'CallToolRequestParams']);

const record: Model = (machine, args, at) => remaining(machine, passedOf(args), new Set(), at).value;

/** Modules whose functions start programs; which of them do is in the table of sinks. */
const starting = new Set(['subprocess', 'asyncio', 'anyio', 'trio', 'os', 'pexpect']);

const methodSinks = /^(?:execute\w*|exec_driver_sql|exec_command|fetch\w*|query|run_query|read_sql|goto|from_string)$/;

/** A package that is not in the table may still have a method that says what it does. */
function throughMethod(module: string, path: readonly string[]): Model {
  const name = path.at(-1) ?? '';
  return (machine, args, at) => {
    if (machine.program.sinks.byModule(module, name).length === 0) checkMethodSink(machine, unknown, name, args, at);
    return ofExternal(module, path);
  };
}

function findModel(module: string, path: readonly string[]): Model | undefined {
  const key = [module, ...path].join('.');
  if (Object.hasOwn(models, key)) return models[key];
  const last = path.at(-1) ?? '';
  if (/^(?:mcp|fastmcp)\b/.test(module) && recordTypes.has(last)) return record;
  const found = findPathModel(module, path) ?? findGitModel(module, path) ?? findDigest(module);
  if (found !== undefined) return found;
  if (path.length >= 2 && methodSinks.test(last)) return throughMethod(module, path);
  return starting.has(module) && /exec|spawn|run|call|popen|output|open_process/i.test(last)
    ? findStart(module, path)
    : undefined;
}

/** What Python and its packages are known to do. */
export const pythonLibrary: Library = { findModel, isMethod, callMethod };
