import { parse } from 'py-ast';
import type { FunctionIr, ModuleIr, Statement } from '../ir.ts';
import type { Context } from './context.ts';
import { noteImports } from './lower-import.ts';
import { lowerBlock } from './lower-statement.ts';
import { declareNames, type Numbers, Scope } from './scope.ts';
import { children, inner, is, Offsets, type PyNode } from './tree.ts';

export interface ParsedModule {
  readonly ir: ModuleIr;
  readonly tree: PyNode;
  readonly offsets: Offsets;
}

/** The module's intermediate form. Throws when its text is not a program. */
export function lowerModule(
  path: string,
  source: string,
  index: number,
  numbers: Numbers,
  isOwnModule: (request: string) => boolean,
): ParsedModule {
  const tree = parse(source.replace(/^\uFEFF/, '')) as unknown as PyNode;
  const offsets = new Offsets(source);
  const scope = new Scope(numbers);
  const nodes = children(tree, 'body');
  const context: Context = {
    module: index,
    scope,
    offsets,
    imported: new Set(),
    stars: [],
    isOwnModule,
    self: undefined,
  };
  visitImports(tree, context);
  declareNames(nodes, scope);
  const exports = [...scope.names].map(([name, variable]) => ({ name, variable }));
  const republished = context.stars.map((from) => ({ name: '*', from, imported: '*' }));
  let statements: readonly Statement[] | undefined;
  const body: FunctionIr = {
    id: scope.freshFunction(),
    name: '',
    module: index,
    at: 0,
    end: source.length,
    arrow: true,
    body: () => {
      statements ??= lowerBlock(nodes, context);
      return { parameters: [], statements };
    },
  };
  const ir: ModuleIr = {
    index,
    path,
    imports: [],
    exports: [...exports, ...republished],
    requests: [],
    body,
    free: new Map(),
  };
  return { ir, tree, offsets };
}

function visitImports(node: PyNode, context: Context): void {
  if (is(node, 'Import', 'ImportFrom')) noteImports(node, context);
  else for (const next of inner(node)) visitImports(next, context);
}
