import type { ModuleIr } from '../ir.ts';
import type { SinkTable } from '../sinks.ts';
import type { Machine } from './machine.ts';
import type { External, Value } from './value.ts';

export type Model = (machine: Machine, args: readonly Value[], at: number, external: External) => Value;

/** What a language and its packages are known to do. */
export interface Library {
  /** What a call of something outside does, told by its name. */
  findModel(module: string, path: readonly string[]): Model | undefined;
  isMethod(name: string): boolean;
  /** What a method does whose object is not known. */
  callMethod(machine: Machine, subject: Value, name: string, args: readonly Value[], at: number): Value;
}

/** The modules of the target, loaded when they are asked for. */
export interface Program {
  /** The index of what a request leads to, or undefined for a package that is not analysed. */
  resolve(from: number, request: string): number | undefined;
  module(index: number): ModuleIr | undefined;
  readonly sinks: SinkTable;
  readonly library: Library;
  textOf(index: number): string;
  /** What a module exports so far; filled while it runs, which is how cycles work. */
  readonly namespaces: Map<number, Value>;
}
