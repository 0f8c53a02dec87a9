import type { HeapObject, Value } from './value.ts';

/** The variables of one call. A closure keeps the activation that it was made in. */
export class Activation {
  readonly id: number;
  variables = new Map<number, Value>();
  readonly parent: Activation | undefined;
  readonly receiver: Value | undefined;
  readonly home: HeapObject | undefined;
  readonly module: number;

  constructor(
    id: number,
    module: number,
    parent: Activation | undefined,
    receiver: Value | undefined,
    home: HeapObject | undefined,
  ) {
    this.id = id;
    this.module = module;
    this.parent = parent;
    this.receiver = receiver;
    this.home = home;
  }

  /** The activation that holds a variable, from here outwards. */
  holder(id: number): Activation | undefined {
    for (let scope: Activation | undefined = this; scope !== undefined; scope = scope.parent) {
      if (scope.variables.has(id)) return scope;
    }
    return undefined;
  }
}
