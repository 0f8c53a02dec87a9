import type { ClassIr, ClassMember, Expression, ObjectEntry } from '../ir.ts';
import type { Context } from './context.ts';
import { plain } from './context.ts';
import { lowerAnnotation } from './lower-annotation.ts';
import { lowerRegistration } from './lower-call.ts';
import { lower } from './lower-expression.ts';
import { fieldConstructor, lowerFunction } from './lower-function.ts';
import { registeringDecorator } from './registrations.ts';
import { child, children, dotted, is, isFunction, type PyNode, text } from './tree.ts';

function member(name: string, value: Expression, kind: 'static' | 'method' | 'getter' | 'field'): ClassMember {
  return {
    name,
    value,
    isStatic: kind === 'static',
    isMethod: kind === 'method' || kind === 'getter',
    isGetter: kind === 'getter',
  };
}

/** A value of a class is seen through the class and through its instances. */
function shared(name: string, value: Expression): ClassMember[] {
  return [member(name, value, 'static'), member(name, value, 'field')];
}

function methodMembers(node: PyNode, context: Context): ClassMember[] {
  const decorators = children(node, 'decorator_list');
  const names = decorators.map(
    (decorator) =>
      dotted(is(decorator, 'Call') ? child(decorator, 'func') : decorator)
        ?.split('.')
        .at(-1) ?? '',
  );
  const isStatic = names.includes('staticmethod');
  const value: Expression = { kind: 'function', function: lowerFunction(node, context, isStatic ? 'none' : 'first') };
  const name = text(node, 'name');
  const registered = decorators.flatMap((decorator): ClassMember[] => {
    const registering = registeringDecorator(decorator);
    return registering === undefined
      ? []
      : [member(`#registered ${name}`, lowerRegistration(registering, value, node, context), 'static')];
  });
  if (names.some((one) => one === 'property' || one === 'cached_property' || one === 'computed_field'))
    return [member(name, value, 'getter')];
  const isShared = isStatic || names.includes('classmethod');
  return [...(isShared ? [member(name, value, 'static')] : []), member(name, value, 'method'), ...registered];
}

function membersOf(node: PyNode, context: Context): ClassMember[] {
  if (isFunction(node)) return methodMembers(node, context);
  if (is(node, 'ClassDef'))
    return [member(text(node, 'name'), { kind: 'class', class: lowerClass(node, context) }, 'static')];
  const value = child(node, 'value');
  if (is(node, 'Assign') && value !== undefined) {
    return children(node, 'targets').flatMap((target) =>
      is(target, 'Name') ? shared(text(target, 'id'), lower(value, context)) : [],
    );
  }
  const target = child(node, 'target');
  return is(node, 'AnnAssign') && value !== undefined && is(target, 'Name')
    ? shared(text(target, 'id'), lower(value, context))
    : [];
}

/** Fields with their types, as pydantic and dataclasses read them. */
function annotations(body: readonly PyNode[], context: Context, at: number): Expression {
  const entries = body.flatMap((node): ObjectEntry[] => {
    const target = child(node, 'target');
    if (!is(node, 'AnnAssign') || !is(target, 'Name')) return [];
    const fallback = child(node, 'value');
    const type = lowerAnnotation(child(node, 'annotation'), context);
    const value: Expression = is(fallback, 'Call')
      ? { kind: 'array', elements: [plain(type), plain(lower(fallback, context))] }
      : type;
    return [{ key: text(target, 'id'), value }];
  });
  return { kind: 'object', entries, at };
}

export function lowerClass(node: PyNode, outer: Context): ClassIr {
  const body = children(node, 'body');
  const at = outer.offsets.at(node);
  const written = body.find((one) => isFunction(one) && text(one, 'name') === '__init__');
  const hasFields = body.some((one) => is(one, 'AnnAssign'));
  const bases = children(node, 'bases').map((base) =>
    lower(is(base, 'Subscript') ? child(base, 'value') : base, outer),
  );
  const types: ClassMember[] = [
    member('#annotations', annotations(body, outer, at), 'static'),
    member('#bases', { kind: 'array', elements: bases.map(plain) }, 'static'),
  ];
  return {
    name: text(node, 'name'),
    parent: bases[0],
    constructor_:
      written === undefined
        ? hasFields
          ? fieldConstructor(node, outer)
          : undefined
        : lowerFunction(written, outer, 'first'),
    members: [...types, ...body.filter((one) => one !== written).flatMap((one) => membersOf(one, outer))],
    at,
  };
}
