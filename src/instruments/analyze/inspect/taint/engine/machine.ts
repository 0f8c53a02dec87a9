import type { TaintLimits } from '../contract.ts';
import { Activation } from './activation.ts';
import { addFacts, bitsFor, type Facts, impossible, joinFacts, noFacts } from './facts.ts';
import type { Hit, ListedTool, Registration } from './observation.ts';
import type { Program } from './program.ts';
import type { Schema } from './schema.ts';
import {
  type Closure,
  type HeapKind,
  type HeapObject,
  implicationOf,
  join,
  type Taint,
  type Trace,
  type Value,
} from './value.ts';

/** Thrown when the work allowed for a handler, or for all, is used up. It never leaves the engine. */
export class OverBudget extends Error {}

export interface Snapshot {
  readonly variables: Map<number, Value>;
  readonly facts: Facts;
}

export interface Outcome {
  readonly value: Value;
  readonly facts: Facts;
}

/** Ways that leave a loop or a switch. */
export interface Jumps {
  readonly breaks: Snapshot[];
  readonly continues: Snapshot[] | undefined;
}

const longestTrace = 16;

/**
 * Walks the intermediate form with values that stand for every value possible. Where ways part both are taken; where they
 * meet, what is known is joined. It has no access to anything but the text of the target.
 */
export class Machine {
  readonly program: Program;
  readonly limits: TaintLimits;
  readonly registrations: Registration[] = [];
  readonly hits: Hit[] = [];
  /** Functions that were entered, and the last closure made of each, to find registrations that nothing calls. */
  readonly entered = new Set<number>();
  readonly made = new Map<string, Closure>();
  readonly observedCalls = new Set<string>();
  facts: Facts = noFacts;
  activation: Activation;
  returns: Outcome[] = [];
  jumps: Jumps[] = [];
  depth = 0;
  /** How often each function is on the stack. */
  running = new Map<number, number>();
  tool: string | undefined;
  functionName = '';
  /** Functions entered while a handler ran, so that a definition nobody called can be told. */
  readonly served = new Set<number>();
  isServing = false;
  /** The last object made before handlers were walked. */
  lastingObject = 0;
  lastingActivation = 0;
  readonly classes = new Map<string, HeapObject>();
  /** Objects that look like the definition of a tool. */
  readonly definitions: HeapObject[] = [];
  readonly listed = new Map<string, ListedTool>();
  memory = new Map<string, Outcome | undefined>();
  readonly #touched = new Map<
    HeapObject,
    { readonly fields: Map<string, Value>; readonly elements: Value[] | undefined; readonly rest: Value | undefined }
  >();
  readonly #scopes = new Map<Activation, Map<number, Value>>();
  #steps = 0;
  #handlerLimit = 0;
  #nextObject = 0;
  #nextActivation = 0;
  readonly #deadlineMs: number;

  constructor(program: Program, limits: TaintLimits, deadlineMs: number) {
    this.program = program;
    this.limits = limits;
    this.#deadlineMs = deadlineMs;
    this.activation = this.activate(0, undefined, undefined, undefined);
  }

  activate(
    module: number,
    parent: Activation | undefined,
    receiver: Value | undefined,
    home: HeapObject | undefined,
  ): Activation {
    this.#nextActivation += 1;
    return new Activation(this.#nextActivation, module, parent, receiver, home);
  }

  allocate(
    kind: HeapKind,
    options: { elements?: Value[]; schema?: Schema; at?: number; definition?: HeapObject['definition'] } = {},
  ): HeapObject {
    this.#nextObject += 1;
    return {
      id: this.#nextObject,
      kind,
      fields: new Map(),
      elements: options.elements ?? (kind === 'array' ? [] : undefined),
      rest: undefined,
      definition: options.definition,
      prototype: undefined,
      schema: options.schema,
      returned: undefined,
      at: options.at ?? 0,
      module: this.activation?.module ?? 0,
    };
  }

  /** Starts a new allowance; the total goes on. */
  allow(steps: number): void {
    this.#handlerLimit = this.#steps + steps;
    this.memory = new Map();
  }

  get steps(): number {
    return this.#steps;
  }

  get isExhausted(): boolean {
    return this.#steps > this.limits.totalSteps || Date.now() > this.#deadlineMs;
  }

  step(): void {
    this.#steps += 1;
    if (this.#steps > this.#handlerLimit) throw new OverBudget();
    if (this.#steps % 4096 === 0 && this.isExhausted) throw new OverBudget();
  }

  get isDead(): boolean {
    return this.facts.kind === 'impossible';
  }

  die(): void {
    this.facts = impossible;
  }

  /** Called before an object changes. */
  touch(object: HeapObject): void {
    if (!this.isServing || object.id > this.lastingObject || this.#touched.has(object)) return;
    this.#touched.set(object, {
      fields: new Map(object.fields),
      elements: object.elements?.slice(),
      rest: object.rest,
    });
  }

  touchVariables(activation: Activation): void {
    if (!this.isServing || activation.id > this.lastingActivation || this.#scopes.has(activation)) return;
    this.#scopes.set(activation, new Map(activation.variables));
  }

  /** From here on, what is changed of what was there is put back in the end: handlers are walked apart. */
  beginServing(): void {
    this.isServing = true;
    this.lastingObject = this.#nextObject;
    this.lastingActivation = this.#nextActivation;
  }

  endServing(): void {
    this.isServing = false;
    for (const [object, before] of this.#touched) {
      object.fields.clear();
      for (const [name, value] of before.fields) object.fields.set(name, value);
      object.elements = before.elements;
      object.rest = before.rest;
    }
    for (const [activation, variables] of this.#scopes) activation.variables = variables;
    this.#touched.clear();
    this.#scopes.clear();
  }

  snapshot(): Snapshot {
    return { variables: new Map(this.activation.variables), facts: this.facts };
  }

  restore(snapshot: Snapshot): void {
    this.activation.variables = new Map(snapshot.variables);
    this.facts = snapshot.facts;
  }

  /** Where ways meet. What was checked on one of them is kept with the values that came along it. */
  meet(snapshots: readonly Snapshot[]): void {
    const alive = snapshots.filter((snapshot) => snapshot.facts.kind !== 'impossible');
    const [first, ...others] = alive;
    if (first === undefined) {
      this.die();
      return;
    }
    let variables = first.variables;
    let facts = first.facts;
    for (const other of others) {
      variables = meetVariables({ variables, facts }, other);
      facts = joinFacts(facts, other.facts);
    }
    this.activation.variables = new Map(variables);
    this.facts = facts;
  }

  learn(facts: Facts): void {
    this.facts = addFacts(this.facts, facts);
  }

  trace(at: number, text: string, before: Trace | undefined): Trace {
    const module = this.activation.module;
    if (before === undefined) return { module, at, text, before, length: 1 };
    const isFull = before.length >= longestTrace;
    const isSame = before.module === module && before.at === at;
    return isFull || isSame ? before : { module, at, text, before, length: before.length + 1 };
  }

  traced(value: Value, at: number, text: string): Value {
    if (value.taints.length === 0) return value;
    return { ...value, taints: value.taints.map((taint) => ({ ...taint, trace: this.trace(at, text, taint.trace) })) };
  }

  effectiveBits(taint: Taint): number {
    return taint.bits | bitsFor(this.facts, taint.label);
  }
}

function bake(value: Value, facts: Facts): Value {
  if (value.taints.length === 0 || facts.kind === 'impossible' || facts.bits.size === 0) return value;
  return {
    ...value,
    taints: value.taints.map((taint) => ({ ...taint, bits: taint.bits | bitsFor(facts, taint.label) })),
  };
}

export function meetValues(left: Outcome, right: Outcome): Value {
  if (left.facts.kind === 'impossible') return right.value;
  if (right.facts.kind === 'impossible' || left.value === right.value) return left.value;
  return join(
    remember(bake(left.value, left.facts), left.facts),
    remember(bake(right.value, right.facts), right.facts),
  );
}

/** `let isAllowed = false; if (check(x)) isAllowed = true;`: the flag stands for the check from then on. */
function remember(value: Value, facts: Facts): Value {
  if (value.taints.length > 0 || value.constants.length === 0) return value;
  const implies = implicationOf(value);
  return {
    ...value,
    implies: { whenTrue: addFacts(facts, implies.whenTrue), whenFalse: addFacts(facts, implies.whenFalse) },
  };
}

function meetVariables(left: Snapshot, right: Snapshot): Map<number, Value> {
  const merged = new Map(left.variables);
  for (const [id, value] of right.variables) {
    const other = merged.get(id);
    if (other === undefined) merged.set(id, value);
    else if (other !== value)
      merged.set(id, meetValues({ value: other, facts: left.facts }, { value, facts: right.facts }));
  }
  return merged;
}
