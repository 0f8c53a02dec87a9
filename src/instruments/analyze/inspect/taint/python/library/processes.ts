import type { Machine } from '../../engine/machine.ts';
import type { Model } from '../../engine/program.ts';
import { note, run, vectorOf } from '../../engine/sink.ts';
import { ofExternal, onlyText, truth, unknown, type Value } from '../../engine/value.ts';
import type { Sink } from '../../sinks.ts';
import { argumentAt, keyword, passedOf } from './arguments.ts';

/** Programs that are started. */

function isList(value: Value): boolean {
  return value.objects.some((object) => object.elements !== undefined);
}

/** `subprocess.run(command, shell=True)`: a text is for a shell, a list is a program and its arguments. */
function startCommand(machine: Machine, sink: Sink, callee: string, args: readonly Value[], at: number): void {
  const command = argumentAt(machine, args, 0, 'args', at) ?? unknown;
  const shell = keyword(machine, passedOf(args), 'shell', at);
  const hasShell =
    shell !== undefined && truth(shell) !== false && shell.constants.some((one) => one === true || one === 1);
  if (!isList(command)) {
    note(machine, sink, 'command', callee, command, at);
    return;
  }
  const vector = vectorOf(machine, command, at);
  const [program, ...elements] = vector.elements;
  run(
    machine,
    sink,
    callee,
    { program: program ?? vector.rest ?? unknown, vector: { ...vector, elements }, hasShell },
    at,
  );
}

/** `create_subprocess_exec(program, *arguments)`. */
function startProgram(machine: Machine, sink: Sink, callee: string, args: readonly Value[], at: number): void {
  const [program = unknown, ...elements] = passedOf(args).positional;
  run(machine, sink, callee, { program, vector: { elements, rest: undefined }, hasShell: false }, at);
}

/** `os.execv(program, list)`: the list begins with the program's name. */
function startVector(machine: Machine, sink: Sink, callee: string, args: readonly Value[], at: number): void {
  const positional = passedOf(args).positional;
  const from = onlyText(positional[0] ?? unknown) === undefined && (positional[0]?.externals.length ?? 0) > 0 ? 1 : 0;
  const vector = vectorOf(machine, positional[from + 1], at);
  run(
    machine,
    sink,
    callee,
    {
      program: positional[from] ?? unknown,
      vector: { ...vector, elements: vector.elements.slice(1) },
      hasShell: false,
    },
    at,
  );
}

type Start = typeof startCommand;
const starts: Readonly<Record<string, Start>> = {
  'python-command': startCommand,
  'python-program': startProgram,
  'python-vector': startVector,
};

/** What the sinks of the table that start something do with their arguments. */
export function findStart(module: string, path: readonly string[]): Model | undefined {
  const last = path.at(-1) ?? module;
  return (machine, args, at) => {
    for (const sink of machine.program.sinks.byModule(module, last)) {
      const start = Object.hasOwn(starts, sink.category) ? starts[sink.category] : undefined;
      start?.(machine, sink, `${module}.${last}`, args, at);
    }
    return ofExternal(module, path);
  };
}

function isOption(value: Value | undefined): boolean {
  return (
    value !== undefined &&
    value.constants.length > 0 &&
    value.constants.every((one) => typeof one === 'string' && /^--?[a-zA-Z][\w-]*$/.test(one))
  );
}

/** `repo.git.checkout(branch)`: GitPython hands everything on to the program. */
export function findGitModel(module: string, path: readonly string[]): Model | undefined {
  const isCommand =
    module === 'git' && path.length >= 2 && path.slice(0, -1).some((name) => name === 'git' || name === 'Git');
  if (!isCommand) return undefined;
  const name = path.at(-1) ?? '';
  return (machine, args, at) => {
    const sink: Sink = { id: 'git-command', category: 'argv', arguments: [0] };
    const positional = passedOf(args).positional;
    const stop = positional.findIndex((argument) => onlyText(argument) === '--');
    for (const [index, argument] of (stop < 0 ? positional : positional.slice(0, stop)).entries()) {
      if (isOption(positional[index - 1])) continue;
      const vector = isList(argument) ? vectorOf(machine, argument, at) : { elements: [argument], rest: undefined };
      for (const element of [...vector.elements, ...(vector.rest === undefined ? [] : [vector.rest])])
        note(machine, sink, 'argv', `git.${name}`, element, at);
    }
    return ofExternal(module, path);
  };
}

const safeLoaders = /^C?(?:Safe|Base)Loader$/;

/** Only the loader decides what `yaml.load` makes of a text. */
export const loadYaml: Model = (machine, args, at) => {
  const loader = argumentAt(machine, args, 1, 'Loader', at);
  const isSafe = loader?.externals.some(({ path }) => safeLoaders.test(path.at(-1) ?? '')) === true;
  const value = argumentAt(machine, args, 0, 'stream', at) ?? unknown;
  if (!isSafe)
    note(machine, { id: 'yaml', category: 'deserialise', arguments: [0] }, 'deserialise', 'yaml.load', value, at);
  return unknown;
};
