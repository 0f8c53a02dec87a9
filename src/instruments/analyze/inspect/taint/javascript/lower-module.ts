import type { ExportBinding, FunctionIr, ImportBinding, ModuleIr, Statement } from '../ir.ts';
import { type Context, lower, lowerClass, placeOf } from './lower-expression.ts';
import { lowerFunction } from './lower-function.ts';
import { lowerBlock } from './lower-statement.ts';
import { boundNames, declareBlock, declareVars, type Numbers, Scope } from './scope.ts';
import { child, children, type Node, text } from './tree.ts';
import { parseProgram } from './unit.ts';

/** Names that a CommonJS module finds without declaring them. */
const freeNames = ['module', 'exports'];

/** The module's intermediate form, or undefined when its text is not a program. */
export function lowerModule(path: string, source: string, index: number, numbers: Numbers): ModuleIr | undefined {
  const program = parseProgram(path, source);
  if (program === undefined) return undefined;
  const scope = new Scope(numbers);
  const context: Context = { module: index, scope, unit: { path, whole: source, offset: 0 } };
  const nodes = children(program, 'body');
  const imports = nodes.flatMap((node) => importsOf(node, scope));
  declareVars(program, scope);
  declareBlock(nodes, scope);
  const free = new Map<string, number>();
  for (const name of freeNames) if (scope.find(name) === undefined) free.set(name, scope.declare(name));
  const fallback = scope.fresh();
  const exports = nodes.flatMap((node) => exportsOf(node, scope, fallback));
  const requests = nodes
    .map((node) => child(node, 'source'))
    .flatMap((node) => (node === undefined ? [] : [String(node.value)]));
  // At once, so that the tree can go: of functions only their places are kept.
  const statements = lowerProgram(nodes, context, fallback);
  const body: FunctionIr = {
    id: scope.freshFunction(),
    name: '',
    module: index,
    at: 0,
    end: source.length,
    arrow: true,
    body: () => ({ parameters: [], statements }),
  };
  return { index, path, imports, exports, requests, body, free };
}

function lowerProgram(nodes: readonly Node[], context: Context, fallback: number): Statement[] {
  const named = nodes.filter((node) => !isAnonymousDefault(node));
  const anonymous = nodes.filter(isAnonymousDefault).map((node): Statement => {
    const declaration = child(node, 'declaration');
    const target = { kind: 'variable', id: fallback, name: 'default' } as const;
    if (declaration?.type === 'FunctionDeclaration') {
      const value = { kind: 'function', function: lowerFunction(declaration, context, 'default') } as const;
      return { kind: 'declare', target, value, at: placeOf(node, context) };
    }
    if (declaration?.type === 'ClassDeclaration') {
      return {
        kind: 'declare',
        target,
        value: { kind: 'class', class: lowerClass(declaration, context) },
        at: placeOf(node, context),
      };
    }
    return { kind: 'declare', target, value: lower(declaration, context), at: placeOf(node, context) };
  });
  return [...lowerBlock(named, context), ...anonymous];
}

/** `export default` of something that has no name of its own. */
function isAnonymousDefault(node: Node): boolean {
  const declaration = child(node, 'declaration');
  if (node.type !== 'ExportDefaultDeclaration' || declaration === undefined) return false;
  return !(declaration.type.endsWith('Declaration') && child(declaration, 'id') !== undefined);
}

function nameOf(node: Node | undefined): string {
  if (node === undefined) return '';
  return node.type === 'Literal' ? String(node.value) : text(node, 'name');
}

function importsOf(node: Node, scope: Scope): ImportBinding[] {
  const source = child(node, 'source');
  if (node.type !== 'ImportDeclaration' || source === undefined) return [];
  return children(node, 'specifiers').map((specifier) => ({
    variable: scope.declare(nameOf(child(specifier, 'local'))),
    from: String(source.value),
    name:
      specifier.type === 'ImportSpecifier'
        ? nameOf(child(specifier, 'imported'))
        : specifier.type === 'ImportDefaultSpecifier'
          ? 'default'
          : '*',
  }));
}

function exportsOf(node: Node, scope: Scope, fallback: number): ExportBinding[] {
  const source = child(node, 'source');
  if (node.type === 'ExportAllDeclaration' && source !== undefined) {
    const exported = child(node, 'exported');
    return [{ name: exported === undefined ? '*' : nameOf(exported), from: String(source.value), imported: '*' }];
  }
  if (node.type === 'ExportDefaultDeclaration') {
    const declaration = child(node, 'declaration');
    const id = declaration === undefined ? undefined : scope.find(nameOf(child(declaration, 'id')));
    return [{ name: 'default', variable: isAnonymousDefault(node) || id === undefined ? fallback : id }];
  }
  if (node.type !== 'ExportNamedDeclaration') return [];
  const declaration = child(node, 'declaration');
  if (declaration !== undefined) {
    const ids = declaration.type === 'VariableDeclaration' ? children(declaration, 'declarations') : [declaration];
    const names = ids.flatMap((one) => [...boundNames(child(one, 'id'))]);
    return names.map((name) => ({ name, variable: scope.declare(name) }));
  }
  return children(node, 'specifiers').flatMap((specifier): ExportBinding[] => {
    const name = nameOf(child(specifier, 'exported'));
    const local = nameOf(child(specifier, 'local'));
    if (source !== undefined) return [{ name, from: String(source.value), imported: local }];
    const variable = scope.find(local);
    return variable === undefined ? [] : [{ name, variable }];
  });
}
