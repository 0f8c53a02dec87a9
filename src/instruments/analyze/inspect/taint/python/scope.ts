import { child, children, inner, is, isFunction, type PyNode, slots, text } from './tree.ts';

/** Hands out the numbers of variables and functions; one per program, so that no number is used twice. */
export interface Numbers {
  nextVariable: number;
  nextFunction: number;
}

/** Names that are visible at a place, each with the number of its variable. */
export class Scope {
  readonly #names = new Map<string, number>();
  readonly #parent: Scope | undefined;
  readonly #numbers: Numbers;
  /** A class's names are not seen from its methods. */
  readonly #isClass: boolean;

  constructor(numbers: Numbers, parent?: Scope, isClass = false) {
    this.#numbers = numbers;
    this.#parent = parent;
    this.#isClass = isClass;
  }

  inner(isClass = false): Scope {
    return new Scope(this.#numbers, this.#isClass && !isClass ? this.#parent : this, isClass);
  }

  declare(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const id = this.fresh();
    this.#names.set(name, id);
    return id;
  }

  /** Makes a name mean a variable that is there already. */
  alias(name: string, id: number): void {
    this.#names.set(name, id);
  }

  fresh(): number {
    this.#numbers.nextVariable += 1;
    return this.#numbers.nextVariable;
  }

  freshFunction(): number {
    this.#numbers.nextFunction += 1;
    return this.#numbers.nextFunction;
  }

  find(name: string): number | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      const id = scope.#names.get(name);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  get root(): Scope {
    let scope: Scope = this;
    while (scope.#parent !== undefined) scope = scope.#parent;
    return scope;
  }

  get names(): ReadonlyMap<string, number> {
    return this.#names;
  }
}

/** The names that a target binds: `a`, `(a, *b)`; a field or an element binds none. */
export function* boundNames(target: PyNode | undefined): Generator<string> {
  if (is(target, 'Name')) yield text(target, 'id');
  else if (is(target, 'Tuple', 'List')) for (const item of children(target, 'elts')) yield* boundNames(item);
  else if (is(target, 'Starred')) yield* boundNames(child(target, 'value'));
}

/** The name that `import a.b` or `from a import b as c` binds. */
export function aliasName(alias: PyNode): string {
  const own = text(alias, 'asname');
  return own === '' ? (text(alias, 'name').split('.')[0] ?? '') : own;
}

function* namesOf(node: PyNode): Generator<string> {
  switch (node.nodeType) {
    case 'FunctionDef':
    case 'AsyncFunctionDef':
    case 'ClassDef':
      yield text(node, 'name');
      return;
    case 'Assign':
    case 'Delete':
      for (const target of children(node, 'targets')) yield* boundNames(target);
      return;
    case 'AugAssign':
    case 'AnnAssign':
    case 'For':
    case 'AsyncFor':
    case 'NamedExpr':
      yield* boundNames(child(node, 'target'));
      return;
    case 'WithItem':
      yield* boundNames(child(node, 'optional_vars'));
      return;
    case 'Import':
    case 'ImportFrom':
      for (const alias of children(node, 'names')) yield aliasName(alias);
      return;
    case 'ExceptHandler':
    case 'MatchAs':
    case 'MatchStar':
      yield text(node, 'name');
      return;
    case 'MatchMapping':
      yield text(node, 'rest');
      return;
    default:
  }
}

const ownScopes = new Set(['Lambda', 'ListComp', 'SetComp', 'DictComp', 'GeneratorExp']);

/** Every name that is bound in a body belongs to it, however deep it stands, unless it is said to be another's. */
export function declareNames(body: readonly PyNode[], scope: Scope): void {
  const elsewhere = new Set<string>();
  const found = new Set<string>();
  const visit = (node: PyNode) => {
    if (is(node, 'Global', 'Nonlocal')) {
      for (const name of Array.isArray(node.names) ? node.names : []) {
        elsewhere.add(String(name));
        if (is(node, 'Global')) scope.alias(String(name), scope.root.declare(String(name)));
      }
      return;
    }
    for (const name of namesOf(node)) if (name !== '' && name !== '*') found.add(name);
    if (isFunction(node) || is(node, 'ClassDef')) return;
    for (const next of inner(node)) if (!ownScopes.has(next.nodeType)) visit(next);
  };
  for (const node of body) visit(node);
  for (const name of found) if (!elsewhere.has(name)) scope.declare(name);
}

/** The parameters of a function, each with its default. */
export interface PyParameter {
  readonly name: string;
  readonly annotation: PyNode | undefined;
  readonly fallback: PyNode | undefined;
  readonly kind: 'plain' | 'keyword' | 'rest' | 'keywords';
}

export function parametersOf(args: PyNode | undefined): readonly PyParameter[] {
  if (args === undefined) return [];
  const plain = [...children(args, 'posonlyargs'), ...children(args, 'args')];
  const defaults = children(args, 'defaults');
  const found: PyParameter[] = plain.map((arg, index) => ({
    name: text(arg, 'arg'),
    annotation: child(arg, 'annotation'),
    fallback: defaults[index - (plain.length - defaults.length)],
    kind: 'plain',
  }));
  const one = (node: PyNode | undefined, kind: PyParameter['kind'], fallback?: PyNode) => {
    if (node === undefined) return;
    found.push({ name: text(node, 'arg'), annotation: child(node, 'annotation'), fallback, kind });
  };
  one(child(args, 'vararg'), 'rest');
  const keywordDefaults = slots(args, 'kw_defaults');
  for (const [index, arg] of children(args, 'kwonlyargs').entries()) one(arg, 'keyword', keywordDefaults[index]);
  one(child(args, 'kwarg'), 'keywords');
  return found;
}
