import type { Sink } from '../sinks.ts';
import { bits } from './bits.ts';
import { factsOf } from './condition.ts';
import { argumentLabel } from './facts.ts';
import { elementOf, readField } from './fields.ts';
import type { Machine } from './machine.ts';
import { type External, onlyText, truth, unknown, type Value } from './value.ts';

/** Notes tainted data at functions that act on it. Whether it is a finding is decided later, from what is noted. */

export function note(machine: Machine, sink: Sink, category: string, callee: string, value: Value, at: number): void {
  for (const taint of value.taints) {
    machine.hits.push({
      sink: sink.id,
      category,
      callee,
      tool: machine.facts.kind === 'facts' ? (machine.facts.tool ?? machine.tool) : machine.tool,
      taint: { ...taint, label: argumentLabel(taint.label) },
      bits: machine.effectiveBits(taint),
      text: value.text ?? '',
      module: machine.activation.module,
      at,
      function: machine.functionName,
    });
  }
}

function valuesAt(machine: Machine, sink: Sink, args: readonly Value[], at: number): Value[] {
  const found: Value[] = [];
  for (const index of sink.arguments) {
    const value = args[index];
    if (value === undefined) continue;
    const isRecord = value.objects.some((object) => object.kind === 'object');
    if (isRecord) found.push(...(sink.fields ?? []).map((name) => readField(machine, value, name, at)));
    else found.push(value);
  }
  return found;
}

/** True when it is a sink at all, tainted or not. */
export function checkSink(machine: Machine, external: External, args: readonly Value[], at: number): boolean {
  const names = external.path.filter((name) => name !== 'new' || external.path.length === 1);
  const last = names.at(-1) ?? external.module;
  const sinks = machine.program.sinks.byModule(external.module, last);
  for (const sink of sinks) {
    const callee = external.path.length === 0 ? external.module : `${external.module}.${last}`;
    if (sink.category === 'spawn') checkSpawn(machine, sink, callee, args, at);
    else if (sink.category === 'spawn-list') checkSpawnList(machine, sink, callee, args, at);
    else for (const value of valuesAt(machine, sink, args, at)) note(machine, sink, sink.category, callee, value, at);
    if (sink.category === 'url' && args[0] !== undefined)
      machine.learn(factsOf(args[0], (taint) => ((taint.bits & bits.exact) !== 0 ? bits.address : 0)));
  }
  return sinks.length > 0;
}

const looksLikeSql =
  /\b(?:select|insert|update|delete|drop|alter|create|pragma|truncate|replace|merge|with|explain|show|describe)\b/i;
const sqlNames = /^(?:.*\.)?(?:sql|query|statement|queries|sqlquery|sql_query|querytext)$/i;

/** The receiver is not known, so the name of the method and the look of the text have to do. */
export function checkMethodSink(
  machine: Machine,
  receiver: Value,
  name: string,
  args: readonly Value[],
  at: number,
): void {
  if (receiver.taints.length > 0) return;
  for (const sink of machine.program.sinks.byMethod(name)) {
    for (const value of valuesAt(machine, sink, args, at)) {
      if (sink.category !== 'sql-like') note(machine, sink, sink.category, name, value, at);
      else if (looksLikeSql.test(value.text ?? '')) note(machine, sink, 'sql', name, value, at);
      else {
        const statements = value.taints.filter(
          (taint) => sqlNames.test(taint.label) && !['run', 'get', 'all', 'each', 'exec'].includes(name),
        );
        note(machine, sink, 'sql', name, { ...value, taints: statements }, at);
      }
    }
  }
}

export interface Vector {
  readonly elements: readonly Value[];
  /** When the list as a whole comes from the caller. */
  readonly rest: Value | undefined;
}

export function vectorOf(machine: Machine, value: Value | undefined, at: number): Vector {
  if (value === undefined) return { elements: [], rest: undefined };
  const [object] = value.objects;
  if (object?.elements !== undefined && value.objects.length === 1)
    return { elements: object.elements, rest: object.rest };
  return { elements: [], rest: elementOf(machine, value, at) };
}

function checkSpawn(machine: Machine, sink: Sink, callee: string, args: readonly Value[], at: number): void {
  const [program, list] = args;
  const options = args
    .slice(1)
    .find((argument) => argument.objects.some((object) => object.kind === 'object' && object.elements === undefined));
  const shell = options === undefined ? undefined : readField(machine, options, 'shell', at);
  const isSwitchedOn = shell?.constants.some((one) => one !== false && one !== undefined && one !== null) ?? false;
  const hasShell = isSwitchedOn && truth(shell ?? unknown) !== false;
  run(machine, sink, callee, { program: program ?? unknown, vector: vectorOf(machine, list, at), hasShell }, at);
}

function checkSpawnList(machine: Machine, sink: Sink, callee: string, [list]: readonly Value[], at: number): void {
  const vector = vectorOf(machine, list, at);
  const [program, ...elements] = vector.elements;
  run(machine, sink, callee, { program: program ?? unknown, vector: { ...vector, elements }, hasShell: false }, at);
}

export interface Spawn {
  readonly program: Value;
  readonly vector: Vector;
  readonly hasShell: boolean;
}

export function run(
  machine: Machine,
  sink: Sink,
  callee: string,
  { program, vector, hasShell }: Spawn,
  at: number,
): void {
  const { shells, interpreters, optionPrograms } = machine.program.sinks;
  const name = (onlyText(program) ?? '').split(/[/\\]/).at(-1) ?? '';
  const everything = [...vector.elements, ...(vector.rest === undefined ? [] : [vector.rest])];
  note(machine, sink, 'command', callee, program, at);
  if (hasShell) {
    for (const element of everything) note(machine, sink, 'command', callee, element, at);
    return;
  }
  const isCommand = (element: Value) =>
    /^[-/](?:c|e|lc|ic|Command|EncodedCommand|-eval|p)$/i.test(onlyText(element) ?? '');
  const switchAt = vector.elements.findIndex(isCommand);
  if (shells.has(name) && switchAt >= 0) {
    for (const element of everything.slice(switchAt + 1, switchAt + 2))
      note(machine, sink, 'command', callee, element, at);
    return;
  }
  if (interpreters.has(name) && switchAt >= 0) {
    const [code] = everything.slice(switchAt + 1);
    if (code !== undefined) note(machine, sink, 'code', callee, code, at);
  }
  if (!optionPrograms.has(name)) return;
  const stop = vector.elements.findIndex((element) => onlyText(element) === '--');
  for (const [index, element] of everything.entries()) {
    const isValueOfOption = /^-{1,2}[a-zA-Z][\w-]*$/.test(onlyText(vector.elements[index - 1] ?? unknown) ?? '');
    if ((stop < 0 || index < stop) && !isValueOfOption) note(machine, sink, 'argv', `${callee}(${name})`, element, at);
  }
}

/** `import(x)` of a name that the caller chose. */
export function checkImport(machine: Machine, source: Value, at: number): void {
  note(machine, { id: 'import', category: 'module', arguments: [0] }, 'module', 'import', source, at);
}
