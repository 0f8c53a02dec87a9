import type { Statement } from '../ir.ts';
import { bind } from './assign.ts';
import { compare, isOptOut } from './condition.ts';
import { evaluate, fork } from './evaluate.ts';
import { addFacts, impossible, joinFacts, noFacts } from './facts.ts';
import { elementOf } from './fields.ts';
import type { Jumps, Machine, Snapshot } from './machine.ts';
import { implicationOf, nothing, truth, undefinedValue, unknown, type Value } from './value.ts';

export function execute(machine: Machine, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (machine.isDead) return;
    executeOne(machine, statement);
  }
}

function executeOne(machine: Machine, statement: Statement): void {
  machine.step();
  switch (statement.kind) {
    case 'expression':
      evaluate(machine, statement.expression);
      return;
    case 'declare': {
      const value = statement.value === undefined ? undefinedValue : evaluate(machine, statement.value);
      bind(machine, statement.target, value, true, statement.at);
      return;
    }
    case 'if':
      executeIf(machine, statement);
      return;
    case 'loop':
      executeLoop(machine, statement);
      return;
    case 'each':
      executeEach(machine, statement);
      return;
    case 'return': {
      const value = statement.value === undefined ? undefinedValue : evaluate(machine, statement.value);
      if (!machine.isDead) giveBack(machine, value);
      machine.die();
      return;
    }
    case 'throw':
      evaluate(machine, statement.value);
      machine.die();
      return;
    case 'jump':
      executeJump(machine, statement.to);
      return;
    case 'try':
      executeTry(machine, statement);
      return;
    case 'switch':
      executeSwitch(machine, statement);
      return;
    case 'block':
      execute(machine, statement.body);
  }
}

/** Notes what is returned together with what has been checked by then, so that the caller can tell the ways apart. */
function giveBack(machine: Machine, value: Value): void {
  for (const object of value.objects) {
    if (object.kind === 'object' && object.prototype === undefined) {
      object.returned = object.returned === undefined ? machine.facts : joinFacts(object.returned, machine.facts);
    }
  }
  const implies = implicationOf(value);
  machine.returns.push({
    value: {
      ...value,
      implies: {
        whenTrue: addFacts(machine.facts, implies.whenTrue),
        whenFalse: addFacts(machine.facts, implies.whenFalse),
      },
    },
    facts: machine.facts,
  });
}

function executeIf(machine: Machine, statement: Statement & { kind: 'if' }): void {
  const test = evaluate(machine, statement.test);
  if (machine.isDead) return;
  const [first] = statement.consequence;
  if (first?.kind === 'return' && statement.consequence.length === 1 && isOptOut(statement.test, test)) {
    // "No folder is configured: everything is allowed" is the operator's choice and no hole in the guard.
    const value = first.value === undefined ? undefinedValue : evaluate(machine, first.value);
    machine.returns.push({
      value: { ...value, implies: { whenTrue: impossible, whenFalse: impossible } },
      facts: impossible,
    });
    return;
  }
  fork(
    machine,
    test,
    () => {
      execute(machine, statement.consequence);
      return nothing;
    },
    () => {
      execute(machine, statement.otherwise);
      return nothing;
    },
  );
}

function runBody(machine: Machine, body: readonly Statement[]): Jumps {
  const jumps: Jumps = { breaks: [], continues: [] };
  machine.jumps.push(jumps);
  execute(machine, body);
  machine.jumps.pop();
  machine.meet([machine.snapshot(), ...(jumps.continues ?? [])]);
  return jumps;
}

/** Twice when a turn leaves taint behind that the next one would see. */
const turns = 2;

function taintedNow(machine: Machine): string {
  const parts: string[] = [];
  for (const [id, { taints }] of machine.activation.variables) {
    if (taints.length > 0)
      parts.push(`${id}:${taints.map((taint) => `${taint.label}/${taint.bits}/${taint.extent}`).join()}`);
  }
  return parts.join(';');
}

function executeLoop(machine: Machine, statement: Statement & { kind: 'loop' }): void {
  const exits: Snapshot[] = [];
  let taintedBefore = taintedNow(machine);
  for (let turn = 0; turn < turns && !machine.isDead; turn += 1) {
    const test = statement.test === undefined ? undefined : evaluate(machine, statement.test);
    const known = test === undefined ? true : truth(test);
    if (known !== true) {
      const before = machine.snapshot();
      exits.push({
        ...before,
        facts: addFacts(before.facts, test === undefined ? noFacts : implicationOf(test).whenFalse),
      });
    }
    if (known === false) break;
    if (test !== undefined) machine.learn(implicationOf(test).whenTrue);
    exits.push(...runBody(machine, statement.body).breaks);
    if (!machine.isDead && statement.update !== undefined) evaluate(machine, statement.update);
    const taintedAfter = taintedNow(machine);
    if (taintedAfter === taintedBefore) break;
    taintedBefore = taintedAfter;
  }
  if (statement.test !== undefined) exits.push(machine.snapshot());
  machine.meet(exits);
}

function executeEach(machine: Machine, statement: Statement & { kind: 'each' }): void {
  const over = evaluate(machine, statement.over);
  const [object] = over.objects;
  const elements = over.objects.length === 1 && object?.rest === undefined ? object?.elements : undefined;
  if (statement.of && elements !== undefined && elements.length > 0 && over.taints.length === 0) {
    const exits: Snapshot[] = [];
    for (const element of [...elements]) {
      if (machine.isDead) break;
      bind(machine, statement.target, element, true, 0);
      exits.push(...runBody(machine, statement.body).breaks);
    }
    machine.meet([machine.snapshot(), ...exits]);
    return;
  }
  const before = machine.snapshot();
  const exits: Snapshot[] = [];
  for (let turn = 0; turn < turns && !machine.isDead; turn += 1) {
    const element = statement.of ? elementOf(machine, over, 0) : { ...elementOf(machine, over, 0), shape: undefined };
    bind(machine, statement.target, element, true, 0);
    const taintedBefore = taintedNow(machine);
    exits.push(...runBody(machine, statement.body).breaks);
    if (taintedNow(machine) === taintedBefore) break;
  }
  // A check of every element holds for all of them; when there is none, nothing of it goes anywhere.
  const after = machine.snapshot();
  machine.meet(
    over.taints.length > 0
      ? [{ ...before, facts: machine.isDead ? before.facts : after.facts }, after, ...exits]
      : [before, after, ...exits],
  );
}

function executeJump(machine: Machine, to: 'break' | 'continue'): void {
  const target = machine.jumps.findLast((jumps) => to === 'break' || jumps.continues !== undefined);
  if (to === 'break') target?.breaks.push(machine.snapshot());
  else target?.continues?.push(machine.snapshot());
  machine.die();
}

function executeTry(machine: Machine, statement: Statement & { kind: 'try' }): void {
  const before = machine.snapshot();
  execute(machine, statement.body);
  const after = machine.snapshot();
  if (statement.handler !== undefined) {
    // Anything may have failed at any point: what was checked inside does not hold, what was set may.
    machine.meet([before, { ...after, facts: before.facts }]);
    if (statement.caught !== undefined) bind(machine, statement.caught, unknown, true, 0);
    execute(machine, statement.handler);
    machine.meet([after, machine.snapshot()]);
  }
  if (statement.finalizer.length === 0) return;
  if (!machine.isDead) {
    execute(machine, statement.finalizer);
    return;
  }
  machine.restore({ ...before });
  execute(machine, statement.finalizer);
  machine.die();
}

function executeSwitch(machine: Machine, statement: Statement & { kind: 'switch' }): void {
  const on = evaluate(machine, statement.on);
  const isTrue = truth(on) === true && on.constants[0] === true;
  const jumps: Jumps = { breaks: [], continues: undefined };
  machine.jumps.push(jumps);
  let pending = machine.snapshot();
  let falling: Snapshot | undefined;
  let fallback: readonly Statement[] | undefined;
  for (const one of statement.cases) {
    if (one.test === undefined) {
      fallback = one.body;
      continue;
    }
    machine.restore(pending);
    const value = evaluate(machine, one.test);
    const test = isTrue ? value : compare(machine, '===', on, value, false);
    const implies = implicationOf(test);
    const known = truth(test);
    const here = machine.snapshot();
    pending = { ...here, facts: known === true ? impossible : addFacts(here.facts, implies.whenFalse) };
    const entry = { ...here, facts: known === false ? impossible : addFacts(here.facts, implies.whenTrue) };
    machine.meet(falling === undefined ? [entry] : [entry, falling]);
    execute(machine, one.body);
    falling = machine.isDead ? undefined : machine.snapshot();
  }
  machine.meet(falling === undefined ? [pending] : fallback === undefined ? [pending, falling] : [pending, falling]);
  if (fallback !== undefined) execute(machine, fallback);
  machine.jumps.pop();
  machine.meet([machine.snapshot(), ...jumps.breaks]);
}
