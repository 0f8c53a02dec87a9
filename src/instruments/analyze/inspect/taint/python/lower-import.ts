import type { Expression, Statement } from '../ir.ts';
import { type Context, importOf } from './context.ts';
import { aliasName } from './scope.ts';
import { children, is, type PyNode, text } from './tree.ts';

/** `import a.b`, `from .a import b as c`. A name that is a module of the target is that module. */
export function lowerImport(node: PyNode, context: Context): Statement[] {
  const at = context.offsets.at(node);
  return children(node, 'names').flatMap((alias): Statement[] => {
    const name = text(alias, 'name');
    if (name === '*') return [{ kind: 'expression', expression: importOf(requestOf(node), at) }];
    const bound = aliasName(alias);
    const id = context.scope.find(bound) ?? context.scope.declare(bound);
    return [
      { kind: 'declare', target: { kind: 'variable', id, name: bound }, value: imported(node, alias, context, at), at },
    ];
  });
}

function imported(node: PyNode, alias: PyNode, context: Context, at: number): Expression {
  const name = text(alias, 'name');
  if (is(node, 'Import')) return importOf(text(alias, 'asname') === '' ? (name.split('.')[0] ?? name) : name, at);
  const request = requestOf(node);
  const inner = request.endsWith('.') ? `${request}${name}` : `${request}.${name}`;
  if (context.isOwnModule(inner)) return importOf(inner, at);
  return { kind: 'member', object: importOf(request, at), property: name, at };
}

export function requestOf(node: PyNode): string {
  const level = typeof node.level === 'number' ? node.level : 0;
  return `${'.'.repeat(Math.min(level, 20))}${text(node, 'module')}`;
}

/** What has to be known before anything is lowered: names of modules, and modules whose names are all taken. */
export function noteImports(node: PyNode, imports: { readonly imported: Set<string>; readonly stars: string[] }): void {
  for (const alias of children(node, 'names')) {
    const name = text(alias, 'name');
    if (is(node, 'Import') && name.includes('.') && text(alias, 'asname') === '') imports.imported.add(name);
    if (is(node, 'ImportFrom') && name === '*') imports.stars.push(requestOf(node));
  }
}
