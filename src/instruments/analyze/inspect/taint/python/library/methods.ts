import { includes, position } from '../../builtins/checks.ts';
import { push } from '../../builtins/lists.ts';
import { bitsWhenReplaced } from '../../engine/alphabet.ts';
import { bits } from '../../engine/bits.ts';
import { call, callBack } from '../../engine/call.ts';
import { construct } from '../../engine/class.ts';
import { append, elementOf, readElement, writeElement, writeField } from '../../engine/fields.ts';
import type { Machine } from '../../engine/machine.ts';
import { blend, piece, transform } from '../../engine/text.ts';
import { constant, join, onlyText, unknown, type Value } from '../../engine/value.ts';
import { keywordMark } from '../context.ts';
import { match, substitute, textQuestion } from './checks.ts';
import { items, keys } from './lists.ts';
import { callPathMethod, isPath, type Method } from './paths.ts';
import { derive, format, joinText } from './text.ts';

const same: Method = (_machine, subject) => ({ ...subject, implies: undefined });
const part: Method = (_machine, subject, _args, at) => derive(subject, at);

const spelled =
  (change: (text: string) => string): Method =>
  (_machine, subject) => {
    const text = onlyText(subject);
    return text === undefined ? { ...subject, implies: undefined } : constant(change(text));
  };

/** `x.lstrip('/')` also says what it cannot begin with any more. */
const strip: Method = (_machine, subject, [characters]) => {
  const taken = characters === undefined ? '' : (onlyText(characters) ?? '');
  const grant = (taken.includes('/') ? bits.notAbsolute : 0) | (taken.includes('-') ? bits.dash : 0);
  return grant === 0 ? { ...subject, implies: undefined } : transform(subject, { grant });
};

const replace: Method = (_machine, subject, [found = unknown, put = unknown], at) => {
  const [from, to] = [onlyText(found), onlyText(put)];
  const granted = from?.length === 1 && to !== undefined ? bitsWhenReplaced(`\\${from}`, 'g', to) : 0;
  const isFlat = from === '/' && to !== undefined && !to.includes('/');
  const left = transform(derive(subject, at), { grant: granted | (isFlat ? bits.component | bits.notAbsolute : 0) });
  return put.taints.length === 0 ? left : join(left, blend([put]));
};

const get: Method = (machine, subject, [key = unknown, fallback], at) => {
  const value = readElement(machine, subject, key, at);
  const isMissing =
    value.constants.length === 1 && value.constants[0] === undefined && !value.isOpen && value.taints.length === 0;
  const absent = fallback ?? constant(null);
  return isMissing
    ? absent
    : join(
        { ...value, constants: value.constants.filter((one) => one !== undefined) },
        value.taints.length > 0 && fallback === undefined ? value : absent,
      );
};

const update: Method = (machine, subject, args) => {
  for (const object of subject.objects) {
    for (const source of args.flatMap((argument) => argument.objects)) {
      for (const [name, value] of source.fields)
        if (name !== keywordMark) writeField(machine, object, name, value, false);
    }
    for (const argument of args) if (argument.taints.length > 0) writeElement(machine, object, argument);
  }
  return constant(null);
};

const extend: Method = (machine, subject, [list = unknown], at) => {
  const [source] = list.objects;
  const isKnown = list.objects.length === 1 && source?.elements !== undefined && source.rest === undefined;
  const elements = isKnown ? (source?.elements ?? []) : [elementOf(machine, list, at)];
  for (const object of subject.objects) for (const element of elements) append(machine, object, element);
  return constant(null);
};

const values: Method = (machine, subject, _args, at) => {
  const list = machine.allocate('array', {
    elements: subject.objects.flatMap((object) => [...object.fields.values()]),
  });
  if (subject.objects.some((object) => object.rest !== undefined || object.kind === 'arguments'))
    list.rest = elementOf(machine, subject, at);
  return { ...unknown, isOpen: false, objects: [list], taints: subject.taints };
};

/** `Model.model_validate(data)` is `Model(**data)`. */
const validate: Method = (machine, subject, [data = unknown], at) => {
  const types = subject.objects.filter((object) => object.kind === 'class');
  if (types.length === 0) return data;
  const keywords = machine.allocate('object', { at });
  for (const source of data.objects) for (const [name, value] of source.fields) keywords.fields.set(name, value);
  keywords.fields.set(keywordMark, constant(true));
  const passed: Value = {
    ...data,
    objects: [keywords, ...data.objects.filter((object) => object.kind === 'arguments')],
  };
  return types.map((type) => construct(machine, type, [passed], at)).reduce(join);
};

const methods: Readonly<Record<string, Method>> = {
  strip,
  lstrip: strip,
  rstrip: (_machine, subject) => ({ ...subject, implies: undefined }),
  lower: spelled((text) => text.toLowerCase()),
  upper: spelled((text) => text.toUpperCase()),
  casefold: same,
  title: same,
  capitalize: same,
  encode: same,
  decode: same,
  expandtabs: same,
  copy: same,
  model_dump: same,
  dict: same,
  model_copy: same,
  unicode_string: same,
  sort: same,
  reverse: same,
  result: same,
  split: part,
  rsplit: part,
  splitlines: part,
  partition: part,
  rpartition: part,
  removeprefix: part,
  removesuffix: part,
  zfill: part,
  ljust: part,
  rjust: part,
  group: part,
  groups: part,
  groupdict: part,
  read: part,
  format: (machine, subject, args, at) => format(machine, subject, args, at),
  replace,
  join: (machine, subject, [list = unknown], at) => joinText(machine, subject, list, at),
  find: (machine, subject, [other = unknown]) => position(includes(machine, subject, other)),
  index: (machine, subject, [other = unknown]) => position(includes(machine, subject, other)),
  match: (machine, subject, [text = unknown], at) => match(machine, 'match', subject, text, at),
  fullmatch: (machine, subject, [text = unknown], at) => match(machine, 'fullmatch', subject, text, at),
  search: (machine, subject, [text = unknown], at) =>
    subject.regex === undefined ? unknown : match(machine, 'search', subject, text, at),
  sub: (_machine, subject, [put, text = unknown], at) => substitute(subject, put, text, at),
  get,
  setdefault: get,
  pop: (machine, subject, [key = unknown, fallback], at) =>
    onlyText(key) === undefined
      ? piece(subject)
      : get(machine, subject, fallback === undefined ? [key] : [key, fallback], at),
  items: (machine, subject, _args, at) => items(machine, subject, at),
  keys: (machine, subject, _args, at) => keys(machine, subject, at),
  values,
  update,
  append: (machine, subject, args) => push(machine, subject, args),
  add: (machine, subject, args) => push(machine, subject, args),
  insert: (machine, subject, [, value = unknown]) => push(machine, subject, [value]),
  extend,
  model_validate: validate,
  parse_obj: validate,
  validate_python: validate,
  run_in_executor: (machine, _subject, [, callee, ...args], at) =>
    callee === undefined ? unknown : call(machine, callee, args, at),
};

export function isMethod(name: string): boolean {
  return Object.hasOwn(methods, name) || name === 'startswith' || name === 'endswith';
}

export function callMethod(machine: Machine, subject: Value, name: string, args: readonly Value[], at: number): Value {
  const isText = subject.taints.length > 0 && subject.objects.length === 0;
  if (isPath(subject) || (isText && !isMethod(name) && subject.regex === undefined)) {
    const ofPath = callPathMethod(machine, subject, name, args, at);
    if (ofPath !== undefined) return ofPath;
  }
  const asked = textQuestion(machine, subject, name, args);
  if (asked !== undefined) return asked;
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method !== undefined) return method(machine, subject, args, at);
  const before = machine.facts;
  callBack(machine, args, at);
  machine.facts = before;
  return subject.taints.length > 0 ? piece(subject) : unknown;
}
