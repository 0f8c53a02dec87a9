import type { Expression, FunctionIr } from '../ir.ts';

export interface SignatureParameter {
  readonly name: string;
  readonly kind: 'plain' | 'keyword' | 'rest' | 'keywords';
  /** What the annotation and the default let through; lowered when a server is given the function. */
  type(): readonly Expression[];
}

/** What a server reads off a function: parameters by name, and the text that tells what it is for. */
export interface Signature {
  readonly parameters: readonly SignatureParameter[];
  readonly doc: string;
  /** The function whose name and parameters it shows, as `functools.wraps` has it. */
  readonly wrapped: (() => Expression) | undefined;
  /** Numbers for the function through which a server calls this one. */
  readonly adapter: { readonly function: number; readonly target: number; readonly input: number };
}

export interface PythonFunction extends FunctionIr {
  readonly signature: Signature;
}

export function isPythonFunction(target: FunctionIr): target is PythonFunction {
  return 'signature' in target;
}
