/**
 * What an expression stands for, as far as names tell: small enough to keep for every call of a bundle, when the tree it
 * came from is long gone. Both languages are read into this.
 */
export type Ref =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'name'; readonly name: string; readonly scope: Scope }
  | { readonly kind: 'module'; readonly request: string; readonly file: FileFacts }
  | { readonly kind: 'member'; readonly of: Ref; readonly name: string }
  | CallRef
  | { readonly kind: 'routine'; readonly routine: Routine }
  | { readonly kind: 'class'; readonly shape: Shape }
  | { readonly kind: 'this'; readonly shape: Shape }
  | ObjectRef
  /** One of several: `a || b`, `c ? a : b`. */
  | { readonly kind: 'either'; readonly parts: readonly Ref[] }
  /** Made of all of them: a template, a sum, a list. */
  | { readonly kind: 'mix'; readonly parts: readonly Ref[] };

export interface CallRef {
  readonly kind: 'call';
  readonly of: Ref;
  readonly args: readonly Ref[];
  /** Keyword arguments of Python. */
  readonly named: ReadonlyMap<string, Ref>;
  readonly isNew: boolean;
}

export interface ObjectRef {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Ref>;
  /** What is spread into it. */
  readonly spread: readonly Ref[];
}

export const unknownRef: Ref = { kind: 'unknown' };

/** A sum. `'child_' + 'process'` is a text like any other. */
export function joined(parts: readonly Ref[]): Ref {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return texts.length === parts.length ? { kind: 'text', text: texts.join('') } : { kind: 'mix', parts };
}

/** A function, a module's top, or a branch that is taken for one name (`case 'read_file':`). */
export interface Routine {
  readonly name: string;
  readonly file: FileFacts;
  readonly line: number;
  readonly parent: Routine | undefined;
  /** The texts that a branch is taken for; undefined for functions. */
  readonly branchOf: readonly Ref[] | undefined;
  readonly inner: Routine[];
  readonly sites: Site[];
  readonly returns: Ref[];
  readonly parameters: string[];
  readonly scope: Scope;
}

/** A class: what its instances can do. */
export interface Shape {
  readonly name: string;
  readonly methods: Map<string, Routine>;
  readonly fields: Map<string, Ref[]>;
  readonly base: Ref | undefined;
}

/** A place where something is called, or where the environment is read. */
export interface Site {
  readonly ref: Ref;
  readonly line: number;
  readonly kind: 'call' | 'read' | 'loop' | 'import';
}

/** Something that looks like the description of a tool. */
export interface Described {
  /** The first of these that is a text is its name. */
  readonly names: readonly Ref[];
  /** Records in which its description and its annotations may stand. */
  readonly about: readonly Ref[];
  readonly handler: Ref | undefined;
  readonly line: number;
}

export const languages = ['javascript', 'python'] as const;
export type Language = (typeof languages)[number];

export interface FileFacts {
  readonly path: string;
  readonly language: Language;
  readonly top: Routine;
  readonly routines: Routine[];
  readonly imports: { readonly request: string; readonly line: number }[];
  readonly exports: Map<string, Ref>;
  /** `export * from` and `from x import *`. */
  readonly stars: string[];
  readonly described: Described[];
  /** Functions that serve every tool by its name. */
  readonly dispatchers: Ref[];
  /** Bundlers number the modules they leave outside; by that number. */
  readonly bundled: Map<string, string>;
  readonly sizeBytes: number;
}

export interface Binding {
  readonly definitions: Ref[];
  /** What its value is made from, without being it: the parameter of a callback. */
  readonly flows: Ref[];
}

const mostDefinitions = 8;

export function addTo(list: Ref[], ref: Ref): void {
  if (list.length < mostDefinitions && ref.kind !== 'unknown') list.push(ref);
}

export class Scope {
  readonly #names = new Map<string, Binding>();
  readonly #parent: Scope | undefined;
  readonly isFunction: boolean;

  constructor(parent: Scope | undefined, isFunction: boolean) {
    this.#parent = parent;
    this.isFunction = isFunction;
  }

  declare(name: string): Binding {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const binding: Binding = { definitions: [], flows: [] };
    this.#names.set(name, binding);
    return binding;
  }

  find(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      const binding = scope.#names.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  own(name: string): Binding | undefined {
    return this.#names.get(name);
  }

  /** Where `var` goes. */
  get function(): Scope {
    let scope: Scope = this;
    while (!scope.isFunction && scope.#parent !== undefined) scope = scope.#parent;
    return scope;
  }
}

export function makeFile(path: string, language: Language, sizeBytes: number): FileFacts {
  const scope = new Scope(undefined, true);
  const routines: Routine[] = [];
  const shared = {
    path,
    language,
    sizeBytes,
    routines,
    imports: [],
    exports: new Map(),
    stars: [],
    described: [],
    dispatchers: [],
  };
  const file = { ...shared, bundled: new Map() } as Omit<FileFacts, 'top'> & { top?: Routine };
  const top = makeRoutine(file as FileFacts, { name: '', line: 1, parent: undefined, scope });
  file.top = top;
  return file as FileFacts;
}

export function makeRoutine(
  file: FileFacts,
  more: Pick<Routine, 'name' | 'line' | 'parent' | 'scope'> & { readonly branchOf?: readonly Ref[] },
): Routine {
  const routine: Routine = { branchOf: undefined, ...more, file, inner: [], sites: [], returns: [], parameters: [] };
  more.parent?.inner.push(routine);
  file.routines.push(routine);
  return routine;
}

/** `return` in a branch returns from the function around it. */
export function functionOf(routine: Routine): Routine {
  let at = routine;
  while (at.branchOf !== undefined && at.parent !== undefined) at = at.parent;
  return at;
}

/** The offset of every line's beginning, to turn offsets into lines. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
