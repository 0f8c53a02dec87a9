import { child, children, isFunction, type Node, text } from '../taint/javascript/tree.ts';
import { type Context, type JavaScriptRefs, keyOf } from './javascript-ref.ts';
import { addTo, type FileFacts, type Ref } from './ref.ts';

/** What a file takes from others and gives to them. */

export function noteImport(file: FileFacts, refs: JavaScriptRefs, node: Node, { scope }: Context): void {
  if (text(node, 'importKind') === 'type') return;
  const request = String(child(node, 'source')?.value ?? '');
  const module: Ref = { kind: 'module', request, file: file };
  file.imports.push({ request, line: refs.lineOf(node) });
  for (const specifier of children(node, 'specifiers')) {
    const name = text(child(specifier, 'local') ?? specifier, 'name');
    const isWhole = specifier.type === 'ImportNamespaceSpecifier';
    const imported = specifier.type === 'ImportSpecifier' ? keyOf(specifier, 'imported') : 'default';
    const ref: Ref = isWhole ? module : { kind: 'member', of: module, name: imported };
    addTo(scope.declare(name).definitions, ref);
    if (imported === 'env') file.top.sites.push({ ref, line: refs.lineOf(specifier), kind: 'read' });
  }
}

export function noteImportEquals(file: FileFacts, refs: JavaScriptRefs, node: Node, { scope }: Context): void {
  const source = child(child(node, 'moduleReference') ?? node, 'expression');
  const request = String(source?.value ?? '');
  file.imports.push({ request, line: refs.lineOf(node) });
  const name = text(child(node, 'id') ?? node, 'name');
  addTo(scope.declare(name).definitions, { kind: 'module', request, file: file });
}

export function noteExport(file: FileFacts, refs: JavaScriptRefs, node: Node, context: Context): void {
  const source = child(node, 'source');
  const request = source === undefined ? undefined : String(source.value);
  if (request !== undefined) file.imports.push({ request, line: refs.lineOf(node) });
  const { exports } = file;
  const module = (): Ref => ({ kind: 'module', request: request ?? '', file: file });
  if (node.type === 'ExportAllDeclaration') {
    const exported = child(node, 'exported');
    if (exported === undefined) file.stars.push(request ?? '');
    else exports.set(text(exported, 'name'), module());
    return;
  }
  const declaration = child(node, 'declaration');
  if (node.type === 'ExportDefaultDeclaration') {
    exports.set('default', refs.of(declaration, context));
    return;
  }
  for (const specifier of children(node, 'specifiers')) {
    const local = keyOf(specifier, 'local');
    const ref: Ref =
      request === undefined
        ? { kind: 'name', name: local, scope: context.scope }
        : { kind: 'member', of: module(), name: local };
    exports.set(keyOf(specifier, 'exported'), ref);
  }
  const ids = declaration === undefined ? [] : [declaration, ...children(declaration, 'declarations')];
  for (const id of ids.map((one) => child(one, 'id'))) {
    if (id?.type === 'Identifier')
      exports.set(text(id, 'name'), { kind: 'name', name: text(id, 'name'), scope: context.scope });
  }
}

export function noteExports(file: FileFacts, value: Ref): void {
  file.exports.set('default', value);
  if (value.kind === 'object') for (const [name, field] of value.fields) file.exports.set(name, field);
}

/** `317: e => { e.exports = require("fs") }`, as webpack writes what it leaves outside. */
export function noteBundled(file: FileFacts, refs: JavaScriptRefs, node: Node, context: Context): void {
  const value = child(node, 'value');
  if (value === undefined || !isFunction(value) || value.end - value.start > 200) return;
  const body = child(value, 'body');
  const statements = body === undefined ? [] : body.type === 'BlockStatement' ? children(body, 'body') : [body];
  const last = statements.at(-1);
  const assignment = last?.type === 'ExpressionStatement' ? child(last, 'expression') : last;
  const left = assignment === undefined ? undefined : child(assignment, 'left');
  if (assignment?.type !== 'AssignmentExpression' || left === undefined || keyOf(left, 'property') !== 'exports')
    return;
  const ref = refs.of(child(assignment, 'right'), context);
  if (ref.kind === 'module') file.bundled.set(keyOf(node), ref.request);
}
