import { concatLists } from '../../builtins/lists.ts';
import { bits } from '../../engine/bits.ts';
import { derivedLabel } from '../../engine/facts.ts';
import type { Machine } from '../../engine/machine.ts';
import type { Model } from '../../engine/program.ts';
import { blend, concatenate, piece } from '../../engine/text.ts';
import { constant, extents, onlyText, unknown, type Value } from '../../engine/value.ts';
import { keyword, passedOf } from './arguments.ts';

/** How texts are put together and taken apart. */

/** A piece of a text that may be checked by itself: what a check finds out about it holds for this piece. */
export function derive(value: Value, at: number): Value {
  const cut = piece(asText(value));
  const taints = cut.taints.map((taint) => {
    const label = derivedLabel(taint.label, at);
    return label === undefined ? taint : { ...taint, label, bits: taint.bits | bits.exact, extent: extents.whole };
  });
  return { ...cut, taints };
}

function isList(value: Value | undefined): boolean {
  return value?.objects.some((object) => object.elements !== undefined) === true;
}

/** A path, a date or a number is put into a text as its text. */
export function asText(value: Value): Value {
  return value.externals.length === 0 && value.objects.length === 0
    ? value
    : { ...value, externals: [], objects: [], isOpen: true };
}

const add: Model = (machine, [left = unknown, right = unknown], at) => {
  if (isList(left) || isList(right)) return concatLists(machine, left, [right], at);
  return machine.traced(concatenate([asText(left), asText(right)]), at, 'put into a text');
};

function partsOf(value: Value | undefined): readonly Value[] {
  const [object] = value?.objects ?? [];
  return object?.elements ?? (value === undefined ? [] : [value]);
}

function put(machine: Machine, pieces: readonly Value[], at: number): Value {
  return machine.traced(concatenate(pieces), at, 'put into a text');
}

/** `'… %s' % x`; of numbers it is what is left over. */
const percent: Model = (machine, [left = unknown, right = unknown], at) => {
  const template = onlyText(left);
  const values = partsOf(right);
  const named = right.objects.find((object) => object.kind === 'object');
  if (template === undefined) return blend([left, ...values]);
  let next = 0;
  const pieces = template.split(/(%(?:\(\w+\))?[-#0 +]*[\d*.]*[a-zA-Z%])/).map((part, index): Value => {
    if (index % 2 === 0) return constant(part);
    if (part === '%%') return constant('%');
    const name = /^%\((\w+)\)/.exec(part)?.[1];
    const value = name === undefined ? values[next] : named?.fields.get(name);
    next += 1;
    return asText(value ?? unknown);
  });
  return put(machine, pieces, at);
};

/** `'… {} {name}'.format(x, name=y)`. */
export function format(machine: Machine, subject: Value, args: readonly Value[], at: number): Value {
  const template = onlyText(subject);
  const passed = passedOf(args);
  if (template === undefined) {
    const named = passed.keywords?.objects.flatMap((object) => [...object.fields.values()]) ?? [];
    return blend([subject, ...passed.positional, ...named]);
  }
  let next = 0;
  const pieces = template.split(/(\{[^{}]*\})/).map((part, index): Value => {
    if (index % 2 === 0) return constant(part.replace(/\{\{/g, '{').replace(/\}\}/g, '}'));
    const name = /^\{(\w*)/.exec(part)?.[1] ?? '';
    const position = name === '' ? next : /^\d+$/.test(name) ? Number(name) : undefined;
    if (name === '') next += 1;
    const value = position === undefined ? keyword(machine, passed, name, at) : passed.positional[position];
    return asText(value ?? unknown);
  });
  return put(machine, pieces, at);
}

/** `x[1:]`, `x[:80]`. */
const slice: Model = (_machine, [subject = unknown], at) => (isList(subject) ? subject : derive(subject, at));

/** `separator.join(list)`. */
export function joinText(machine: Machine, separator: Value, list: Value, at: number): Value {
  const [object] = list.objects;
  if (list.objects.length === 1 && object?.elements !== undefined && object.rest === undefined) {
    return put(
      machine,
      object.elements.flatMap((element, index) => (index === 0 ? [asText(element)] : [separator, asText(element)])),
      at,
    );
  }
  return blend([
    list,
    ...list.objects.flatMap((one) => [...(one.elements ?? []), ...(one.rest === undefined ? [] : [one.rest])]),
  ]);
}

export const textModels: Readonly<Record<string, Model>> = {
  'builtins.#add': add,
  'builtins.#percent': percent,
  'builtins.#slice': slice,
  'builtins.#either': (_machine, [left = unknown, right = unknown]) => ({
    ...blend([left, right]),
    objects: [...left.objects, ...right.objects],
  }),
  'builtins.str': (_machine, [value = unknown]) => asText(value),
  'builtins.repr': (_machine, [value = unknown]) => asText(value),
  'builtins.format': (_machine, [value = unknown]) => asText(value),
};
