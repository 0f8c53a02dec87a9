import type { HandlerKind } from '../contract.ts';
import type { Schema } from './schema.ts';
import type { Closure, Taint } from './value.ts';

/** A handler that the target hands to its server. */
export interface Registration {
  readonly kind: HandlerKind;
  readonly name: string | undefined;
  readonly description: string;
  readonly closure: Closure;
  readonly schema: Schema | undefined;
  /** How the arguments arrive: as the first argument, inside of a request, or as URL and variables. */
  readonly shape: 'arguments' | 'request' | 'resource';
  readonly module: number;
  readonly at: number;
}

/** Tainted data at a sink. Whether that is a finding, and how bad, is decided later. */
export interface Hit {
  readonly sink: string;
  readonly category: string;
  readonly callee: string;
  readonly tool: string | undefined;
  readonly taint: Taint;
  /** Of the value and of the way to here together. */
  readonly bits: number;
  /** The constant pieces of the text that reached the sink. */
  readonly text: string;
  readonly module: number;
  readonly at: number;
  readonly function: string;
}

/** A tool as the server lists it. */
export interface ListedTool {
  readonly description: string;
  readonly parameters: readonly string[];
}
