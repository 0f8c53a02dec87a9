import { parse } from 'py-ast';
import type { ReadCode } from './javascript.ts';
import { PythonRefs } from './python-ref.ts';
import { children, inner, isNode, nodeOf, type PythonNode, textOf } from './python-tree.ts';
import {
  addTo,
  type CallRef,
  type FileFacts,
  makeFile,
  makeRoutine,
  type Ref,
  type Routine,
  Scope,
  type Shape,
} from './ref.ts';

interface Context {
  readonly scope: Scope;
  readonly routine: Routine;
  readonly shape: Shape | undefined;
}

export function readPython(path: string, source: string): ReadCode {
  let module: unknown;
  try {
    module = parse(source);
  } catch (error) {
    const isDeep = error instanceof RangeError;
    return { problem: isDeep ? 'is nested too deeply to be parsed' : 'is not Python that can be parsed' };
  }
  if (!isNode(module)) return { problem: 'is not Python that can be parsed' };
  const file = makeFile(path, 'python', source.length);
  new Walk(file).run(module);
  return { facts: file };
}

const toolDecorators = new Set(['tool', 'resource', 'prompt']);
const enumerations = new Set(['For', 'AsyncFor']);

class Walk {
  readonly #file: FileFacts;
  readonly #refs = new PythonRefs();
  readonly #waiting: { readonly node: PythonNode; readonly context: Context }[] = [];

  constructor(file: FileFacts) {
    this.#file = file;
  }

  run(module: PythonNode): void {
    const { top } = this.#file;
    this.#into(module, { scope: top.scope, routine: top, shape: undefined });
    for (let at = this.#waiting.pop(); at !== undefined; at = this.#waiting.pop()) this.#visit(at.node, at.context);
  }

  #into(node: PythonNode, context: Context): void {
    // Taken from the end: in the order of the text.
    for (const next of [...inner(node)].reverse()) this.#waiting.push({ node: next, context });
  }

  #visit(node: PythonNode, context: Context): void {
    if (!this.#special(node, context)) this.#into(node, context);
  }

  /** True when it has seen to what is inside as well. */
  #special(node: PythonNode, context: Context): boolean {
    switch (node.nodeType) {
      case 'Import':
        this.#import(node, context);
        return true;
      case 'ImportFrom':
        this.#importFrom(node, context);
        return true;
      case 'FunctionDef':
      case 'AsyncFunctionDef':
        this.#function(node, context);
        return true;
      case 'Lambda':
        this.#into(node, { ...context, scope: new Scope(context.scope, true) });
        return true;
      case 'ClassDef':
        this.#class(node, context);
        return true;
      case 'Assign':
        for (const target of children(node, 'targets'))
          this.#assign(target, this.#refs.of(nodeOf(node, 'value'), context), context, true);
        break;
      case 'AnnAssign':
      case 'AugAssign':
      case 'NamedExpr':
        this.#assign(nodeOf(node, 'target'), this.#refs.of(nodeOf(node, 'value'), context), context, true);
        break;
      case 'WithItem':
        this.#assign(
          nodeOf(node, 'optional_vars'),
          this.#refs.of(nodeOf(node, 'context_expr'), context),
          context,
          true,
        );
        break;
      case 'Comprehension':
        this.#assign(nodeOf(node, 'target'), this.#refs.of(nodeOf(node, 'iter'), context), context, false);
        break;
      case 'Return': {
        const routine =
          context.routine.branchOf === undefined ? context.routine : (context.routine.parent ?? context.routine);
        addTo(routine.returns, this.#refs.of(nodeOf(node, 'value'), context));
        break;
      }
      case 'Call':
        this.#call(node, context);
        break;
      case 'Attribute':
        if (/^environb?$/.test(textOf(node, 'attr'))) this.#read(node, context);
        break;
      case 'Name':
        if (/^environb?$/.test(textOf(node, 'id'))) this.#read(node, context);
        break;
      case 'If':
        this.#if(node, context);
        return true;
    }
    if (enumerations.has(node.nodeType)) {
      const over = this.#refs.of(nodeOf(node, 'iter'), context);
      this.#assign(nodeOf(node, 'target'), over, context, false);
      context.routine.sites.push({ ref: over, line: node.lineno, kind: 'loop' });
    }
    return false;
  }

  #read(node: PythonNode, context: Context): void {
    context.routine.sites.push({ ref: this.#refs.of(node, context), line: node.lineno, kind: 'read' });
  }

  #call(node: PythonNode, context: Context): void {
    const ref = this.#refs.of(node, context);
    context.routine.sites.push({ ref, line: node.lineno, kind: 'call' });
    if (ref.kind !== 'call') return;
    const name = ref.named.get('name');
    // `Tool(name=…, annotations=…)`, as the low-level server lists them.
    if (name !== undefined && (ref.named.has('inputSchema') || ref.named.has('annotations')))
      this.#file.described.push({
        names: [name],
        about: [{ kind: 'object', fields: ref.named, spread: [] }],
        handler: undefined,
        line: node.lineno,
      });
  }

  #import(node: PythonNode, { scope }: Context): void {
    for (const alias of children(node, 'names')) {
      const request = textOf(alias, 'name');
      const as = textOf(alias, 'asname');
      this.#file.imports.push({ request, line: node.lineno });
      const [root = ''] = request.split('.');
      const bound = as === '' ? root : request;
      addTo(scope.declare(as === '' ? root : as).definitions, { kind: 'module', request: bound, file: this.#file });
    }
  }

  #importFrom(node: PythonNode, { scope }: Context): void {
    const request = `${'.'.repeat(Number(node.level) || 0)}${textOf(node, 'module')}`;
    this.#file.imports.push({ request, line: node.lineno });
    for (const alias of children(node, 'names')) {
      const name = textOf(alias, 'name');
      if (name === '*') this.#file.stars.push(request);
      else {
        const of: Ref = { kind: 'module', request, file: this.#file };
        addTo(scope.declare(textOf(alias, 'asname') || name).definitions, { kind: 'member', of, name });
      }
    }
  }

  #function(node: PythonNode, context: Context): void {
    const name = textOf(node, 'name');
    const routine = makeRoutine(this.#file, {
      name,
      line: node.lineno,
      parent: context.routine,
      scope: new Scope(context.scope, true),
    });
    const ref: Ref = { kind: 'routine', routine };
    if (context.shape === undefined || context.routine.parent !== undefined)
      addTo(context.scope.declare(name).definitions, ref);
    if (context.shape !== undefined) context.shape.methods.set(name, routine);
    const args = nodeOf(node, 'args');
    const parameters =
      args === undefined ? [] : ['posonlyargs', 'args', 'kwonlyargs'].flatMap((list) => children(args, list));
    for (const [index, parameter] of parameters.entries()) {
      const parameterName = textOf(parameter, 'arg');
      const binding = routine.scope.declare(parameterName);
      if (index === 0 && context.shape !== undefined)
        addTo(binding.definitions, { kind: 'this', shape: context.shape });
      else routine.parameters.push(parameterName);
    }
    const decorators = children(node, 'decorator_list');
    for (const decorator of decorators) {
      this.#waiting.push({ node: decorator, context });
      this.#decorated(this.#refs.of(decorator, context), name, ref, node.lineno);
    }
    for (const statement of children(node, 'body'))
      this.#waiting.push({ node: statement, context: { ...context, scope: routine.scope, routine } });
  }

  #decorated(decorator: Ref, name: string, handler: Ref, line: number): void {
    const call: CallRef | undefined = decorator.kind === 'call' ? decorator : undefined;
    const of = call === undefined ? decorator : call.of;
    if (of.kind === 'member' && of.name === 'call_tool') this.#file.dispatchers.push(handler);
    if (of.kind !== 'member' || !toolDecorators.has(of.name)) return;
    const given = call?.named.get('name') ?? call?.args.find((argument) => argument.kind === 'text');
    const about: Ref[] = call === undefined ? [] : [{ kind: 'object', fields: call.named, spread: [] }];
    this.#file.described.push({ names: [given ?? { kind: 'text', text: name }], about, handler, line });
  }

  #class(node: PythonNode, context: Context): void {
    const base = children(node, 'bases')[0];
    const name = textOf(node, 'name');
    const shape: Shape = {
      name,
      methods: new Map(),
      fields: new Map(),
      base: base === undefined ? undefined : this.#refs.of(base, context),
    };
    addTo(context.scope.declare(name).definitions, { kind: 'class', shape });
    const inside = { ...context, shape, scope: new Scope(context.scope, false) };
    for (const statement of children(node, 'body')) this.#waiting.push({ node: statement, context: inside });
  }

  #assign(target: PythonNode | undefined, value: Ref, context: Context, isDefinition: boolean): void {
    if (target === undefined) return;
    switch (target.nodeType) {
      case 'Name': {
        const binding = context.scope.function.declare(textOf(target, 'id'));
        addTo(isDefinition ? binding.definitions : binding.flows, value);
        return;
      }
      case 'Tuple':
      case 'List':
        for (const element of children(target, 'elts')) this.#assign(element, value, context, false);
        return;
      case 'Attribute': {
        const object = nodeOf(target, 'value');
        if (object?.nodeType !== 'Name' || textOf(object, 'id') !== 'self' || context.shape === undefined) return;
        const list = context.shape.fields.get(textOf(target, 'attr')) ?? [];
        context.shape.fields.set(textOf(target, 'attr'), list);
        addTo(list, value);
      }
    }
  }

  /** `if name == "read_file":` is the branch of that tool. */
  #if(node: PythonNode, context: Context): void {
    const test = nodeOf(node, 'test');
    const sides = test?.nodeType === 'Compare' ? [nodeOf(test, 'left'), ...children(test, 'comparators')] : [];
    const isEqual = test !== undefined && children(test, 'ops')[0]?.nodeType === 'Eq';
    const value = isEqual
      ? sides.find((side) => side?.nodeType === 'Constant' && typeof side.value === 'string')?.value
      : undefined;
    let inside = context;
    if (typeof value === 'string') {
      const routine = makeRoutine(this.#file, {
        name: value,
        line: node.lineno,
        parent: context.routine,
        scope: context.scope,
        branchOf: [{ kind: 'text', text: value }],
      });
      inside = { ...context, routine };
    }
    if (test !== undefined) this.#waiting.push({ node: test, context });
    for (const statement of children(node, 'body')) this.#waiting.push({ node: statement, context: inside });
    for (const statement of children(node, 'orelse')) this.#waiting.push({ node: statement, context });
  }
}
