import { call } from './engine/call.ts';
import { construct } from './engine/class.ts';
import { noFacts } from './engine/facts.ts';
import { type Machine, OverBudget } from './engine/machine.ts';
import { runModule } from './engine/modules.ts';
import { ofClosure, unknown, type Value } from './engine/value.ts';
import type { Target } from './target.ts';

/** Runs something within its own allowance; false when that was used up. */
export function withinBudget(machine: Machine, steps: number, run: () => void): boolean {
  machine.allow(steps);
  const before = { activation: machine.activation, depth: machine.depth, functionName: machine.functionName };
  try {
    run();
    return true;
  } catch (error) {
    // A stack that is used up is a budget that is used up.
    if (error instanceof OverBudget || error instanceof RangeError) return false;
    throw error;
  } finally {
    Object.assign(machine, before);
    machine.facts = noFacts;
    machine.returns = [];
    machine.jumps = [];
    machine.tool = undefined;
    machine.running = new Map();
  }
}

/** Walks the top of a module, and then into functions that would register something and that nothing has called. */
export function discover(machine: Machine, program: Target, index: number, steps: number): boolean {
  let isComplete = withinBudget(machine, steps, () => {
    runModule(machine, index);
  });
  for (const { callAt, around } of program.sitesOf(index)) {
    if (machine.observedCalls.has(`${index}:${callAt}`)) continue;
    let receiver: Value | undefined;
    for (const { kind, at } of around) {
      if (machine.observedCalls.has(`${index}:${callAt}`)) break;
      isComplete =
        withinBudget(machine, steps, () => {
          const type = kind === 'class' ? machine.classes.get(`${index}:${at}`) : undefined;
          if (type !== undefined) receiver = construct(machine, type, [], at);
          const closure = kind === 'function' ? machine.made.get(`${index}:${at}`) : undefined;
          if (closure !== undefined && !machine.entered.has(closure.function.id)) {
            call(machine, ofClosure({ ...closure, receiver: closure.receiver ?? receiver ?? unknown }), [], at);
          }
        }) && isComplete;
    }
  }
  return isComplete;
}
