/**
 * The small language that the engine walks. A front end lowers its syntax tree into this; the engine knows no other.
 * Variables are numbered per program, so that a reference needs no scope to be looked up in.
 */

export type Constant = string | number | boolean | null | undefined;

export interface Place {
  /** Index of the module, and the offset in its text. */
  readonly module: number;
  readonly at: number;
}

export interface Argument {
  readonly value: Expression;
  readonly spread: boolean;
}

export interface ObjectEntry {
  /** A name, a computed name, or nothing for a spread. */
  readonly key: string | Expression | undefined;
  readonly value: Expression;
}

export type Expression =
  | { readonly kind: 'constant'; readonly value: Constant }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  | { readonly kind: 'variable'; readonly id: number; readonly name: string }
  | { readonly kind: 'global'; readonly name: string }
  | { readonly kind: 'this' }
  | { readonly kind: 'super' }
  | { readonly kind: 'member'; readonly object: Expression; readonly property: string; readonly at: number }
  | { readonly kind: 'element'; readonly object: Expression; readonly index: Expression; readonly at: number }
  | CallExpression
  | { readonly kind: 'function'; readonly function: FunctionIr }
  | { readonly kind: 'class'; readonly class: ClassIr }
  | { readonly kind: 'object'; readonly entries: readonly ObjectEntry[]; readonly at: number }
  | { readonly kind: 'array'; readonly elements: readonly Argument[] }
  | TemplateExpression
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly argument: Expression }
  | {
      readonly kind: 'logical';
      readonly operator: '&&' | '||' | '??';
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      readonly consequence: Expression;
      readonly otherwise: Expression;
    }
  | {
      readonly kind: 'assign';
      readonly target: Pattern;
      readonly operator: string;
      readonly value: Expression;
      readonly at: number;
    }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | { readonly kind: 'await'; readonly argument: Expression }
  | { readonly kind: 'import'; readonly source: Expression; readonly at: number }
  | { readonly kind: 'opaque'; readonly parts: readonly Expression[] };

export interface CallExpression {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Argument[];
  readonly construct: boolean;
  readonly at: number;
}

export interface TemplateExpression {
  readonly kind: 'template';
  readonly tag: Expression | undefined;
  readonly strings: readonly string[];
  readonly values: readonly Expression[];
  readonly at: number;
}

export type Pattern =
  | { readonly kind: 'variable'; readonly id: number; readonly name: string }
  | { readonly kind: 'member'; readonly object: Expression; readonly property: string | Expression }
  | { readonly kind: 'fields'; readonly fields: readonly FieldPattern[]; readonly rest: Pattern | undefined }
  | {
      readonly kind: 'elements';
      readonly elements: readonly (Pattern | undefined)[];
      readonly rest: Pattern | undefined;
    }
  | { readonly kind: 'default'; readonly target: Pattern; readonly fallback: Expression }
  | { readonly kind: 'nothing' };

export interface FieldPattern {
  readonly key: string | Expression;
  readonly target: Pattern;
}

export interface Parameter {
  readonly target: Pattern;
  readonly rest: boolean;
}

export interface FunctionBody {
  readonly parameters: readonly Parameter[];
  readonly statements: readonly Statement[];
}

export interface FunctionIr {
  readonly id: number;
  readonly name: string;
  readonly module: number;
  readonly at: number;
  readonly end: number;
  /** An arrow takes `this` from where it was written. */
  readonly arrow: boolean;
  /** Lowered when it is first needed: most functions of a bundle never are. */
  body(): FunctionBody;
}

export interface ClassMember {
  readonly name: string | Expression;
  readonly value: Expression | undefined;
  readonly isStatic: boolean;
  readonly isMethod: boolean;
  readonly isGetter: boolean;
}

export interface ClassIr {
  readonly name: string;
  readonly parent: Expression | undefined;
  readonly constructor_: FunctionIr | undefined;
  readonly members: readonly ClassMember[];
  readonly at: number;
}

export type Statement =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'declare'; readonly target: Pattern; readonly value: Expression | undefined; readonly at: number }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly consequence: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: 'loop';
      readonly test: Expression | undefined;
      readonly body: readonly Statement[];
      readonly update: Expression | undefined;
    }
  | {
      readonly kind: 'each';
      readonly of: boolean;
      readonly target: Pattern;
      readonly over: Expression;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'return'; readonly value: Expression | undefined; readonly at: number }
  | { readonly kind: 'throw'; readonly value: Expression }
  | { readonly kind: 'jump'; readonly to: 'break' | 'continue' }
  | {
      readonly kind: 'try';
      readonly body: readonly Statement[];
      readonly caught: Pattern | undefined;
      readonly handler: readonly Statement[] | undefined;
      readonly finalizer: readonly Statement[];
    }
  | { readonly kind: 'switch'; readonly on: Expression; readonly cases: readonly SwitchCase[] }
  | { readonly kind: 'block'; readonly body: readonly Statement[] };

export interface SwitchCase {
  readonly test: Expression | undefined;
  readonly body: readonly Statement[];
}

/** `from` of an import; a `*` takes the whole namespace. */
export interface ImportBinding {
  readonly variable: number;
  readonly from: string;
  readonly name: string;
}

/** What a module offers: its own variable, or a name of another module (`*` for all of it). */
export type ExportBinding =
  | { readonly name: string; readonly variable: number }
  | { readonly name: string; readonly from: string; readonly imported: string };

export interface ModuleIr {
  readonly index: number;
  readonly path: string;
  readonly imports: readonly ImportBinding[];
  readonly exports: readonly ExportBinding[];
  /** Modules loaded for their effect, and every `from` above. */
  readonly requests: readonly string[];
  readonly body: FunctionIr;
  /** Variables with a meaning given by the language: `module`, `exports`, `__dirname`. */
  readonly free: ReadonlyMap<string, number>;
}
