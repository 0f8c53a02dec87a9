import { child, children, flag, inner, isFunction, type Node, slots, text } from './tree.ts';

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

  constructor(numbers: Numbers, parent?: Scope) {
    this.#numbers = numbers;
    this.#parent = parent;
  }

  inner(): Scope {
    return new Scope(this.#numbers, this);
  }

  declare(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const id = this.fresh();
    this.#names.set(name, id);
    return id;
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
}

/** The names that a pattern binds. */
export function* boundNames(pattern: Node | undefined): Generator<string> {
  if (pattern === undefined) return;
  switch (pattern.type) {
    case 'Identifier':
      yield text(pattern, 'name');
      return;
    case 'ObjectPattern':
      for (const property of children(pattern, 'properties')) {
        yield* boundNames(child(property, property.type === 'RestElement' ? 'argument' : 'value'));
      }
      return;
    case 'ArrayPattern':
      for (const element of slots(pattern, 'elements')) yield* boundNames(element);
      return;
    case 'AssignmentPattern':
      yield* boundNames(child(pattern, 'left'));
      return;
    case 'RestElement':
      yield* boundNames(child(pattern, 'argument'));
      return;
    case 'TSParameterProperty':
      yield* boundNames(child(pattern, 'parameter'));
      return;
    default:
  }
}

/** `export` wraps declarations; what is declared is the same. */
export function undecorated(statement: Node): Node {
  if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') {
    return child(statement, 'declaration') ?? statement;
  }
  return statement;
}

/** Names of one block: let, const, class and function. */
export function declareBlock(statements: readonly Node[], scope: Scope): void {
  for (const outer of statements) {
    const statement = undecorated(outer);
    if (statement.type === 'VariableDeclaration' && text(statement, 'kind') !== 'var') {
      for (const declarator of children(statement, 'declarations')) {
        for (const name of boundNames(child(declarator, 'id'))) scope.declare(name);
      }
    } else if (
      statement.type === 'FunctionDeclaration' ||
      statement.type === 'ClassDeclaration' ||
      statement.type === 'TSEnumDeclaration'
    ) {
      for (const name of boundNames(child(statement, 'id'))) scope.declare(name);
    }
  }
}

/** `var` belongs to the function, however deep it stands. */
export function declareVars(node: Node, scope: Scope): void {
  for (const next of inner(node)) {
    if (isFunction(next) || next.type === 'ClassBody') continue;
    if (next.type === 'VariableDeclaration' && text(next, 'kind') === 'var' && !flag(next, 'declare')) {
      for (const declarator of children(next, 'declarations')) {
        for (const name of boundNames(child(declarator, 'id'))) scope.declare(name);
      }
    }
    if (!next.type.endsWith('Expression') || next.type === 'SequenceExpression') declareVars(next, scope);
  }
}
