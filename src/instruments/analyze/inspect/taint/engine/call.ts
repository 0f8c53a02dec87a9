import { bind } from './assign.ts';
import { callExternal } from './call-external.ts';
import { construct } from './class.ts';
import { execute } from './execute.ts';
import { type Facts, impossible, joinFacts, keyOfFacts } from './facts.ts';
import { keyOfValue } from './key.ts';
import { type Machine, meetValues, type Outcome } from './machine.ts';
import { blend } from './text.ts';
import { type Closure, join, joinAll, nothing, ofObject, undefinedValue, unknown, type Value } from './value.ts';

/** Calls whatever a value may be. */
export function call(machine: Machine, callee: Value, args: readonly Value[], at: number): Value {
  const before = machine.facts;
  const results: Value[] = [];
  let after: Facts = impossible;
  const tool = machine.tool;
  const isTable = callee.closures.length > 1;
  const attempt = (run: () => Value) => {
    machine.facts = before;
    results.push(run());
    after = joinFacts(after, machine.facts);
  };
  for (const closure of callee.closures) {
    attempt(() => {
      if (isTable && closure.owner !== undefined) machine.tool = closure.owner;
      const result = callClosure(machine, closure, args, at);
      machine.tool = tool;
      return result;
    });
  }
  for (const external of callee.externals) attempt(() => callExternal(machine, external, args, at));
  for (const object of callee.objects) if (object.kind === 'class') attempt(() => construct(machine, object, args, at));
  if (results.length === 0) {
    callBack(machine, args, at);
    return callee.taints.length > 0 ? unknown : blend(args);
  }
  machine.facts = after;
  return callee.isOpen ? join(joinAll(results), unknown) : joinAll(results);
}

/** A function given to something unknown is taken to be called, with arguments that nobody knows. */
export function callBack(machine: Machine, args: readonly Value[], at: number): void {
  for (const argument of args) {
    for (const closure of argument.closures) {
      const before = machine.facts;
      callClosure(machine, closure, [], at);
      machine.facts = before;
    }
  }
}

/** A function that calls itself has shown what it does by then. */
const mostRecursions = 2;

const bottom: Outcome = { value: unknown, facts: impossible };

export function callClosure(machine: Machine, closure: Closure, args: readonly Value[], at: number): Value {
  const { function: target } = closure;
  const running = machine.running.get(target.id) ?? 0;
  if (machine.depth >= machine.limits.callDepth || running >= mostRecursions) return blend(args);
  machine.entered.add(target.id);
  if (machine.isServing) machine.served.add(target.id);
  const key = `${target.id}@${closure.scope?.id ?? 0}/${keyOfValue(closure.receiver)}/${args.map((argument) => keyOfValue(argument)).join('/')}/${machine.tool ?? ''}/${keyOfFacts(machine.facts)}`;
  if (machine.memory.has(key)) {
    const known = machine.memory.get(key) ?? { ...bottom, facts: machine.facts };
    machine.facts = known.facts;
    return known.value;
  }
  machine.memory.set(key, undefined);
  const outcome = enter(machine, closure, args, at);
  machine.memory.set(key, outcome);
  machine.facts = outcome.facts;
  return outcome.value;
}

function enter(machine: Machine, closure: Closure, args: readonly Value[], at: number): Outcome {
  const { function: target } = closure;
  const entry = machine.facts;
  const caller = {
    activation: machine.activation,
    returns: machine.returns,
    jumps: machine.jumps,
    functionName: machine.functionName,
  };
  const traced = args.map((argument) =>
    machine.traced(argument, at, target.name === '' ? 'passed on' : `passed to ${target.name}()`),
  );
  machine.activation = machine.activate(target.module, closure.scope, closure.receiver, closure.home);
  machine.returns = [];
  machine.jumps = [];
  machine.depth += 1;
  machine.running.set(target.id, (machine.running.get(target.id) ?? 0) + 1);
  if (target.name !== '') machine.functionName = target.name;
  try {
    const { parameters, statements } = target.body();
    for (const [index, parameter] of parameters.entries()) {
      const value = parameter.rest
        ? ofObject(machine.allocate('array', { elements: traced.slice(index) }))
        : (traced[index] ?? (args.length === 0 ? unknown : undefinedValue));
      bind(machine, parameter.target, value, true, target.at);
    }
    execute(machine, statements);
    if (!machine.isDead)
      machine.returns.push({ value: withFacts(undefinedValue, machine.facts), facts: machine.facts });
    return finish(machine.returns, entry);
  } finally {
    machine.depth -= 1;
    machine.running.set(target.id, (machine.running.get(target.id) ?? 1) - 1);
    machine.activation = caller.activation;
    machine.returns = caller.returns;
    machine.jumps = caller.jumps;
    machine.functionName = caller.functionName;
  }
}

function withFacts(value: Value, facts: Facts): Value {
  return { ...value, implies: { whenTrue: impossible, whenFalse: facts } };
}

/** Every way out joined; what only one of them established is kept with the value that it returned. */
function finish(returns: readonly Outcome[], entry: Facts): Outcome {
  let result: Outcome = { value: nothing, facts: impossible };
  for (const one of returns) {
    const value = result.facts.kind === 'impossible' ? one.value : meetValues(result, one);
    result = { value, facts: joinFacts(result.facts, one.facts) };
  }
  // When the operator's opting out is the only way out that is understood, nothing has been checked.
  return result.facts.kind === 'impossible' && returns.length > 0 ? { ...result, facts: entry } : result;
}
