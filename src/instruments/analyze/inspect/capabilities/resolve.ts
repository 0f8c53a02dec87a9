import type { CodeProgram } from './program.ts';
import type { CallRef, FileFacts, ObjectRef, Ref, Routine, Shape } from './ref.ts';

/** Stands in a path where a call gave back a value, and not another way to reach something. */
export const answer = '()';

export interface External {
  readonly kind: 'external';
  readonly module: string;
  readonly path: readonly string[];
}

/** What a ref turns out to be. */
export type Meaning =
  | External
  | { readonly kind: 'routine'; readonly routine: Routine }
  | { readonly kind: 'class'; readonly shape: Shape }
  | { readonly kind: 'instance'; readonly shape: Shape }
  | { readonly kind: 'object'; readonly object: ObjectRef }
  | { readonly kind: 'file'; readonly file: FileFacts }
  | { readonly kind: 'text'; readonly text: string };

/** Functions that give back data: a client made by `create` can send, the data that `get` brought cannot. */
const answering =
  /^(?:get|post|put|patch|delete|head|request|fetch|exec\w*|spawn\w*|run|check_\w+|call|fork|query|send|read\w*|list\w*|find\w*|search|then|catch|json|text|load\w*|communicate|Popen|urlopen|glob|globSync|sync)$/;
/** Ways to call a function that leave it the same function. */
const callers = new Set(['bind', 'call', 'apply']);
const globalObjects = new Set(['globalThis', 'window', 'self', 'global']);
const mostSteps = 400;
const deepest = 30;
const longestPath = 8;

export function moduleName(request: string): string {
  return request.replace(/^node:/, '').replace(/^npm:/, '');
}

/** Follows names to what they mean, across the files of the package. Bounded: what takes longer is not known. */
export class Resolver {
  readonly #program: CodeProgram;
  #steps = 0;

  constructor(program: CodeProgram) {
    this.#program = program;
  }

  resolve(ref: Ref): Meaning | undefined {
    this.#steps = mostSteps;
    return this.#resolve(ref, 0);
  }

  #resolve(ref: Ref, depth: number): Meaning | undefined {
    this.#steps -= 1;
    if (this.#steps < 0 || depth > deepest) return undefined;
    switch (ref.kind) {
      case 'text':
        return { kind: 'text', text: ref.text };
      case 'name':
        return this.#name(ref, depth);
      case 'module': {
        const file = this.#program.find(ref.file, ref.request);
        if (file !== undefined) return { kind: 'file', file };
        return { kind: 'external', module: moduleName(ref.request), path: [] };
      }
      case 'member':
        return this.#member(this.#resolve(ref.of, depth + 1), ref.name, depth + 1);
      case 'call':
        return this.#call(ref, depth + 1);
      case 'routine':
        return { kind: 'routine', routine: ref.routine };
      case 'class':
        return { kind: 'class', shape: ref.shape };
      case 'this':
        return { kind: 'instance', shape: ref.shape };
      case 'object':
        return { kind: 'object', object: ref };
      case 'either':
        return this.#first(ref.parts, depth + 1);
      default:
        return undefined;
    }
  }

  #first(refs: readonly Ref[], depth: number): Meaning | undefined {
    for (const ref of refs) {
      const meaning = this.#resolve(ref, depth);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  }

  #name(ref: Extract<Ref, { kind: 'name' }>, depth: number): Meaning | undefined {
    const binding = ref.scope.find(ref.name);
    if (binding !== undefined) return this.#first(binding.definitions, depth + 1);
    return { kind: 'external', module: 'global', path: globalObjects.has(ref.name) ? [] : [ref.name] };
  }

  #member(of: Meaning | undefined, name: string, depth: number): Meaning | undefined {
    if (of === undefined || name === '') return undefined;
    switch (of.kind) {
      case 'external':
        if (callers.has(name) && of.path.length > 0 && !hasOwnBind(of.module)) return of;
        return of.path.length >= longestPath ? of : { ...of, path: [...of.path, name] };
      case 'routine':
        return callers.has(name) ? of : undefined;
      case 'instance':
      case 'class':
        return this.#method(of.shape, name, depth);
      case 'object':
        return this.#field(of.object, name, depth);
      case 'file':
        return this.exported(of.file, name, depth);
      default:
        return undefined;
    }
  }

  #field(object: ObjectRef, name: string, depth: number): Meaning | undefined {
    const field = object.fields.get(name);
    if (field !== undefined) return this.#resolve(field, depth);
    for (const spread of object.spread) {
      const meaning = this.#member(this.#resolve(spread, depth), name, depth + 1);
      if (meaning !== undefined) return meaning;
    }
    return undefined;
  }

  #method(shape: Shape, name: string, depth: number): Meaning | undefined {
    const routine = shape.methods.get(name);
    if (routine !== undefined) return { kind: 'routine', routine };
    const field = this.#first(shape.fields.get(name) ?? [], depth);
    if (field !== undefined || shape.base === undefined || depth > deepest) return field;
    const base = this.#resolve(shape.base, depth + 1);
    return this.#member(base, name, depth + 1);
  }

  exported(file: FileFacts, name: string, depth = 0): Meaning | undefined {
    this.#steps -= 1;
    if (this.#steps < 0 || depth > deepest) return undefined;
    const own = file.exports.get(name);
    if (own !== undefined) return this.#resolve(own, depth + 1);
    // In Python, what stands at the top is what others can import.
    const top = file.language === 'python' ? file.top.scope.own(name) : undefined;
    if (top !== undefined) return this.#first(top.definitions, depth + 1);
    for (const request of file.stars) {
      const other = this.#program.find(file, request);
      const found = other === undefined ? undefined : this.exported(other, name, depth + 1);
      if (found !== undefined) return found;
    }
    const submodule =
      file.language === 'python' && file.path.endsWith('__init__.py')
        ? this.#program.find(file, `.${name}`)
        : undefined;
    if (submodule !== undefined) return { kind: 'file', file: submodule };
    // The default of a CommonJS file is the file itself.
    return name === 'default' && file.exports.size > 0 ? { kind: 'file', file } : undefined;
  }

  #call(ref: CallRef, depth: number): Meaning | undefined {
    const [first] = ref.args;
    const of = this.#resolve(ref.of, depth);
    if (of?.kind === 'class') return { kind: 'instance', shape: of.shape };
    if (of?.kind === 'external') return this.#external(of, ref, depth);
    // `__toESM(require("fs"))` and whatever a minifier calls it.
    const given = first === undefined ? undefined : this.#resolve(first, depth);
    if (given?.kind === 'external' && given.path.length === 0) return given;
    if (given?.kind === 'text' && ref.args.length === 1) {
      const request = ref.of.kind === 'name' ? this.#program.bundled(given.text) : undefined;
      if (request !== undefined) return { kind: 'external', module: moduleName(request), path: [] };
    }
    return of?.kind === 'routine' ? this.#first(of.routine.returns, depth) : undefined;
  }

  #external(of: External, ref: CallRef, depth: number): Meaning | undefined {
    const [first] = ref.args;
    const name = of.path.at(-1) ?? 'default';
    if (first !== undefined && name === 'promisify') return this.#resolve(first, depth) ?? of;
    const isLoader =
      name === 'createRequire' ||
      name === 'import_module' ||
      (of.module === 'global' && (name === 'require' || name === '__import__'));
    if (first?.kind === 'text' && isLoader && (name !== 'createRequire' || !/[/\\]/.test(first.text)))
      return { kind: 'external', module: moduleName(first.text), path: [] };
    const isValue = name === 'default' ? first !== undefined && first.kind !== 'object' : answering.test(name);
    return ref.isNew || !isValue || of.path.length >= longestPath ? of : { ...of, path: [...of.path, answer] };
  }
}

/** Sockets have a `bind` of their own. */
function hasOwnBind(module: string): boolean {
  return /^(?:dgram|socket|net|tls)$/.test(module);
}
