import type { Argument, CallExpression, Expression } from '../ir.ts';
import type { Scope } from './scope.ts';
import type { Offsets } from './tree.ts';

/** What lowering a node needs to know of the place that it stands in. */
export interface Context {
  readonly module: number;
  readonly scope: Scope;
  readonly offsets: Offsets;
  /** Modules that were imported by their dotted name, and modules that all names were taken from. */
  readonly imported: Set<string>;
  readonly stars: string[];
  /** Whether the target itself has a module of this name. */
  readonly isOwnModule: (request: string) => boolean;
  /** The variable that stands for the instance, in a method. */
  readonly self: string | undefined;
}

/** Functions of the language go by this name; those that begin with `#` are how this front end says what the form has no word for. */
export const builtins = 'builtins';

export const none: Expression = { kind: 'constant', value: null };
export const anything: Expression = { kind: 'global', name: '#anything' };

export function importOf(request: string, at: number): Expression {
  return { kind: 'import', source: { kind: 'constant', value: request }, at };
}

export function builtin(name: string, at: number): Expression {
  return { kind: 'member', object: importOf(builtins, at), property: name, at };
}

export function plain(value: Expression): Argument {
  return { value, spread: false };
}

/** A call of one of the library's own functions: `#add`, `#contains`. */
export function intrinsic(name: string, args: readonly Expression[], at: number): CallExpression {
  return { kind: 'call', callee: builtin(name, at), args: args.map(plain), construct: false, at };
}

export function constantOf(value: string | number | boolean | null | undefined): Expression {
  return { kind: 'constant', value };
}

/** Marks the record that holds the keyword arguments of a call; it comes last. */
export const keywordMark = '**';
