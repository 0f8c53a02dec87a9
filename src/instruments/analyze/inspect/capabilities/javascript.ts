import { parseSync } from 'oxc-parser';
import { child, children, isFunction, isNode, type Node, text } from '../taint/javascript/tree.ts';
import { bindPattern } from './javascript-bind.ts';
import { noteBundled, noteExport, noteExports, noteImport, noteImportEquals } from './javascript-modules.ts';
import { type Context, JavaScriptRefs, keyOf } from './javascript-ref.ts';
import { noteDescription, noteDispatcher, noteRegistration, registering } from './javascript-tools.ts';
import { isNestedTooDeeply } from './nesting.ts';
import {
  addTo,
  type FileFacts,
  functionOf,
  lineStarts,
  makeFile,
  makeRoutine,
  type Ref,
  Scope,
  unknownRef,
} from './ref.ts';

function languageOf(path: string): 'jsx' | 'ts' | 'tsx' {
  if (/\.[cm]?ts$/.test(path)) return 'ts';
  return path.endsWith('.tsx') ? 'tsx' : 'jsx';
}

/** A bundle may be a module or a script, and a script may return at its top: the text decides, not its name. */
function parse(path: string, source: string): Node | undefined {
  for (const sourceType of ['unambiguous', 'commonjs'] as const) {
    const parsed = parseSync(path, source, { lang: languageOf(path), sourceType, preserveParens: false });
    const program: unknown = parsed.program;
    if (isNode(program) && (parsed.errors.length === 0 || children(program, 'body').length > 0)) return program;
  }
  return undefined;
}

export type ReadCode = { readonly facts: FileFacts } | { readonly problem: string };

export function readJavaScript(path: string, source: string): ReadCode {
  if (isNestedTooDeeply(source)) return { problem: 'is nested too deeply to be parsed' };
  const program = parse(path, source);
  if (program === undefined) return { problem: 'is not JavaScript or TypeScript that can be parsed' };
  const file = makeFile(path, 'javascript', source.length);
  new Walk(file, lineStarts(source)).run(program);
  return { facts: file };
}

/** `case 'read':`, `case tools.read.name:`. */
function isNaming(ref: Ref): boolean {
  return ref.kind === 'text' || ref.kind === 'member' || ref.kind === 'name';
}

/** Goes over a tree once, with a list of its own instead of the stack: what is deep is not too deep. */
class Walk {
  readonly #file: FileFacts;
  readonly #refs: JavaScriptRefs;
  /** Kept until every declaration was met, wherever it stands. */
  readonly #assigned: { readonly name: string; readonly scope: Scope; readonly value: Ref }[] = [];
  readonly #waiting: { readonly node: Node; readonly context: Context }[] = [];

  constructor(file: FileFacts, lines: readonly number[]) {
    this.#file = file;
    this.#refs = new JavaScriptRefs(file, lines);
  }

  run(program: Node): void {
    const { top } = this.#file;
    this.#into(program, { scope: top.scope, routine: top, shape: undefined });
    for (let at = this.#waiting.pop(); at !== undefined; at = this.#waiting.pop()) this.#visit(at.node, at.context);
    for (const { name, scope, value } of this.#assigned)
      addTo((scope.find(name) ?? top.scope.declare(name)).definitions, value);
  }

  #into(node: Node, context: Context): void {
    const parts = Object.values(node);
    // Taken from the end: in the order of the text.
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (typeof part !== 'object') continue;
      if (!Array.isArray(part)) this.#wait(part, context);
      else for (let index = part.length - 1; index >= 0; index -= 1) this.#wait(part[index], context);
    }
  }

  #wait(node: unknown, context: Context): void {
    if (isNode(node)) this.#waiting.push({ node, context });
  }

  #visit(node: Node, context: Context): void {
    if (!this.#special(node, context)) this.#into(node, context);
  }

  /** True when it has seen to what is inside as well. */
  #special(node: Node, context: Context): boolean {
    if (isFunction(node)) {
      this.#function(node, context);
      return true;
    }
    switch (node.type) {
      case 'ImportDeclaration':
        noteImport(this.#file, this.#refs, node, context);
        return true;
      case 'TSImportEqualsDeclaration':
        noteImportEquals(this.#file, this.#refs, node, context);
        return true;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
        noteExport(this.#file, this.#refs, node, context);
        break;
      case 'VariableDeclaration':
        this.#variables(node, context);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#class(node, context);
        return true;
      case 'AssignmentExpression':
        this.#assign(node, context);
        break;
      case 'CallExpression':
      case 'NewExpression':
      case 'ImportExpression':
        this.#call(node, context);
        break;
      case 'MemberExpression':
        if (keyOf(node, 'property') === 'env') this.#site(node, context, 'read');
        break;
      case 'ReturnStatement':
        addTo(functionOf(context.routine).returns, this.#refs.of(child(node, 'argument'), context));
        break;
      case 'ForOfStatement':
      case 'ForInStatement':
        this.#loop(node, context);
        return true;
      case 'ObjectExpression':
        noteDescription(this.#file, this.#refs, node, context);
        break;
      case 'Property':
        noteBundled(this.#file, this.#refs, node, context);
        break;
      case 'SwitchStatement':
        this.#switch(node, context);
        return true;
      case 'IfStatement':
        this.#if(node, context);
        return true;
      case 'BlockStatement':
      case 'ForStatement':
        this.#into(node, { ...context, scope: new Scope(context.scope, false) });
        return true;
      case 'CatchClause': {
        const scope = new Scope(context.scope, false);
        bindPattern(this.#refs, child(node, 'param'), unknownRef, { scope, context, isDefinition: false });
        this.#into(node, { ...context, scope });
        return true;
      }
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSTypeAnnotation':
        return true;
    }
    return false;
  }

  #site(node: Node, context: Context, kind: 'call' | 'read'): void {
    context.routine.sites.push({ ref: this.#refs.of(node, context), line: this.#refs.lineOf(node), kind });
  }

  #function(node: Node, context: Context): void {
    const routine = this.#refs.routineOf(node, context);
    const own = child(node, 'id');
    if (own !== undefined) {
      const scope = node.type === 'FunctionDeclaration' ? context.scope : routine.scope;
      addTo(scope.declare(text(own, 'name')).definitions, { kind: 'routine', routine });
    }
    const inside: Context = { ...context, scope: routine.scope, routine };
    for (const parameter of children(node, 'params')) {
      const plain = parameter.type === 'AssignmentPattern' ? child(parameter, 'left') : parameter;
      routine.parameters.push(plain?.type === 'Identifier' ? text(plain, 'name') : '');
      bindPattern(this.#refs, parameter, unknownRef, { scope: routine.scope, context: inside, isDefinition: false });
      this.#waiting.push({ node: parameter, context: inside });
    }
    const body = child(node, 'body');
    if (body === undefined) return;
    if (body.type === 'BlockStatement') this.#into(body, inside);
    else {
      addTo(routine.returns, this.#refs.of(body, inside));
      this.#waiting.push({ node: body, context: inside });
    }
  }

  #class(node: Node, context: Context): void {
    const shape = this.#refs.shapeOf(node, context);
    if (node.type === 'ClassDeclaration' && shape.name !== '')
      addTo(context.scope.declare(shape.name).definitions, { kind: 'class', shape });
    const base = child(node, 'superClass');
    if (base !== undefined) this.#waiting.push({ node: base, context });
    for (const member of children(child(node, 'body') ?? node, 'body')) this.#into(member, { ...context, shape });
  }

  #variables(node: Node, context: Context): void {
    const scope = text(node, 'kind') === 'var' ? context.scope.function : context.scope;
    for (const declarator of children(node, 'declarations')) {
      const init = child(declarator, 'init');
      const id = child(declarator, 'id');
      const name = id?.type === 'Identifier' ? text(id, 'name') : '';
      if (init !== undefined && isFunction(init)) this.#refs.routineOf(init, context, name);
      bindPattern(this.#refs, id, this.#refs.of(init, context), { scope, context, isDefinition: true });
    }
  }

  #assign(node: Node, context: Context): void {
    const left = child(node, 'left');
    if (left === undefined) return;
    const value = this.#refs.of(child(node, 'right'), context);
    if (left.type === 'Identifier') {
      const name = text(left, 'name');
      this.#assigned.push({ name, scope: context.scope, value });
      return;
    }
    if (left.type !== 'MemberExpression') {
      bindPattern(this.#refs, left, value, { scope: context.scope.function, context, isDefinition: true });
      return;
    }
    const object = child(left, 'object');
    const name = keyOf(left, 'property');
    if (object?.type === 'ThisExpression' && context.shape !== undefined)
      this.#refs.noteField(context.shape, name, value);
    else if (object?.type === 'Identifier' && text(object, 'name') === 'exports') this.#file.exports.set(name, value);
    else if (object?.type === 'Identifier' && text(object, 'name') === 'module' && name === 'exports')
      noteExports(this.#file, value);
    else if (object?.type === 'MemberExpression' && keyOf(object, 'property') === 'exports')
      this.#file.exports.set(name, value);
  }

  #call(node: Node, context: Context): void {
    const ref = this.#refs.of(node, context);
    const line = this.#refs.lineOf(node);
    if (ref.kind === 'module') {
      this.#file.imports.push({ request: ref.request, line });
      return;
    }
    context.routine.sites.push({ ref, line, kind: 'call' });
    if (ref.kind !== 'call') return;
    // What a callback is given comes from the call that it is handed to, and not from what else that call is given.
    const given: Ref = { ...ref, args: [] };
    for (const argument of children(node, 'arguments')) {
      if (!isFunction(argument)) continue;
      const { scope } = this.#refs.routineOf(argument, context);
      for (const parameter of children(argument, 'params'))
        bindPattern(this.#refs, parameter, given, { scope, context, isDefinition: false });
    }
    const name = ref.of.kind === 'member' || ref.of.kind === 'name' ? ref.of.name : '';
    if (name === 'setRequestHandler') noteDispatcher(this.#file, ref.args);
    if (registering.test(name)) noteRegistration(this.#file, ref.args, line);
  }

  #loop(node: Node, context: Context): void {
    const scope = new Scope(context.scope, false);
    const left = child(node, 'left');
    const right = this.#refs.of(child(node, 'right'), context);
    const declarator = left?.type === 'VariableDeclaration' ? children(left, 'declarations')[0] : undefined;
    bindPattern(this.#refs, declarator === undefined ? left : child(declarator, 'id'), right, {
      scope,
      context,
      isDefinition: false,
    });
    if (node.type === 'ForInStatement')
      context.routine.sites.push({ ref: right, line: this.#refs.lineOf(node), kind: 'loop' });
    for (const name of ['right', 'body']) {
      const part = child(node, name);
      if (part !== undefined) this.#waiting.push({ node: part, context: { ...context, scope } });
    }
  }

  #switch(node: Node, context: Context): void {
    const scope = new Scope(context.scope, false);
    const outer = { ...context, scope };
    const discriminant = child(node, 'discriminant');
    if (discriminant !== undefined) this.#waiting.push({ node: discriminant, context: outer });
    let names: Ref[] = [];
    for (const branch of children(node, 'cases')) {
      const test = child(branch, 'test');
      const name = this.#refs.of(test, outer);
      if (isNaming(name)) names.push(name);
      if (children(branch, 'consequent').length === 0) continue;
      this.#into(branch, names.length === 0 ? outer : this.#branch(names, branch, outer));
      names = [];
    }
  }

  #branch(names: readonly Ref[], node: Node, context: Context): Context {
    const { routine: parent, scope } = context;
    const line = this.#refs.lineOf(node);
    return { ...context, routine: makeRoutine(this.#file, { name: '', line, parent, scope, branchOf: names }) };
  }

  #if(node: Node, context: Context): void {
    const test = child(node, 'test');
    const isEqual = test?.type === 'BinaryExpression' && /^===?$/.test(text(test, 'operator'));
    const sides = isEqual ? [child(test, 'left'), child(test, 'right')] : [];
    const refs = sides.map((side) => this.#refs.of(side, context));
    const name =
      refs.find(({ kind }) => kind === 'text') ?? refs.find((ref) => ref.kind === 'member' && ref.name === 'name');
    const consequent = child(node, 'consequent');
    for (const part of [test, child(node, 'alternate')])
      if (part !== undefined) this.#waiting.push({ node: part, context });
    if (consequent === undefined) return;
    const inside = name !== undefined ? this.#branch([name], consequent, context) : context;
    this.#waiting.push({ node: consequent, context: inside });
  }
}
