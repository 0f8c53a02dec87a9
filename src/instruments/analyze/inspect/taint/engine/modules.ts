import { execute } from './execute.ts';
import { noFacts } from './facts.ts';
import { readField, writeField } from './fields.ts';
import type { Machine } from './machine.ts';
import { type HeapObject, join, ofExternal, ofObject, unknown, type Value } from './value.ts';

/** What a request for a module gives: one of the target's own, or the name of something outside. */
export function importModule(machine: Machine, from: number, request: string): Value {
  const index = machine.program.resolve(from, request);
  if (index === undefined) return ofExternal(request.replace(/^node:/, ''));
  return runModule(machine, index);
}

/** Runs the top of a module once. A cycle sees what is there so far. */
export function runModule(machine: Machine, index: number): Value {
  const known = machine.program.namespaces.get(index);
  if (known !== undefined) return known;
  const module = machine.program.module(index);
  if (module === undefined) return unknown;
  const namespace = machine.allocate('object');
  namespace.rest = undefined;
  const value = ofObject(namespace);
  machine.program.namespaces.set(index, value);
  const outer = {
    activation: machine.activation,
    facts: machine.facts,
    returns: machine.returns,
    jumps: machine.jumps,
    tool: machine.tool,
  };
  machine.activation = machine.activate(index, undefined, unknown, undefined);
  machine.facts = noFacts;
  machine.returns = [];
  machine.jumps = [];
  const { variables } = machine.activation;
  const common = machine.allocate('object');
  for (const [name, id] of module.free) {
    if (name === 'exports') variables.set(id, value);
    if (name === 'module') variables.set(id, ofObject(common));
  }
  common.fields.set('exports', value);
  for (const binding of module.imports) {
    const imported = importModule(machine, index, binding.from);
    variables.set(binding.variable, binding.name === '*' ? imported : readField(machine, imported, binding.name, 0));
  }
  const scope = machine.activation;
  const publish = () => {
    for (const binding of module.exports) {
      if ('variable' in binding) {
        const exported = scope.variables.get(binding.variable);
        if (exported !== undefined) writeField(machine, namespace, binding.name, exported, true);
      } else republish(machine, index, namespace, binding);
    }
  };
  try {
    execute(machine, hoisted(module.body.body().statements));
    publish();
    execute(machine, module.body.body().statements);
  } finally {
    publish();
    const assigned = common.fields.get('exports');
    if (assigned !== undefined && assigned !== value) adopt(machine, namespace, assigned);
    Object.assign(machine, outer);
  }
  return value;
}

/** Functions exist before the first statement runs; a cycle may ask for them. */
function hoisted<Item extends { kind: string }>(statements: readonly Item[]): Item[] {
  return statements.filter((statement) => {
    const value = (statement as { value?: { kind?: string } }).value;
    return statement.kind === 'declare' && value?.kind === 'function';
  });
}

function republish(
  machine: Machine,
  index: number,
  namespace: HeapObject,
  binding: { readonly name: string; readonly from: string; readonly imported: string },
): void {
  const source = importModule(machine, index, binding.from);
  if (binding.name !== '*') {
    writeField(
      machine,
      namespace,
      binding.name,
      binding.imported === '*' ? source : readField(machine, source, binding.imported, 0),
      true,
    );
    return;
  }
  for (const object of source.objects) {
    for (const [name, value] of object.fields)
      if (name !== 'default') writeField(machine, namespace, name, value, false);
  }
}

/** `module.exports = …`: the module is what was assigned, and also its default. */
function adopt(machine: Machine, namespace: HeapObject, assigned: Value): void {
  for (const object of assigned.objects) {
    if (object === namespace) continue;
    for (const [name, value] of object.fields) writeField(machine, namespace, name, value, false);
  }
  const others = { ...assigned, objects: assigned.objects.filter((object) => object !== namespace) };
  const before = namespace.fields.get('default');
  namespace.fields.set('default', before === undefined ? others : join(before, others));
}
