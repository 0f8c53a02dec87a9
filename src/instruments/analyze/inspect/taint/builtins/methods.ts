import { bitsWhenReplaced } from '../engine/alphabet.ts';
import { bits, harmless } from '../engine/bits.ts';
import { call, callBack } from '../engine/call.ts';
import { settle } from '../engine/evaluate.ts';
import { noFacts } from '../engine/facts.ts';
import { elementOf, writeElement, writeField } from '../engine/fields.ts';
import type { Machine } from '../engine/machine.ts';
import { beginning, blend, concatenate, piece, transform } from '../engine/text.ts';
import {
  constant,
  join,
  joinAll,
  nothing,
  ofObject,
  onlyConstant,
  onlyText,
  unknown,
  type Value,
} from '../engine/value.ts';
import { endsWith, includes, matches, position, startsWith } from './checks.ts';
import { concatLists, everyOf, filter, find, forEach, mapList, push, reduce, someOf } from './lists.ts';

type Method = (machine: Machine, subject: Value, args: readonly Value[], at: number) => Value;

const same: Method = (_machine, subject) => ({ ...subject, implies: undefined });
const part: Method = (_machine, subject) => piece(subject);
const number: Method = (_machine, subject) => transform(subject, { drop: bits.exact, grant: harmless });

/** A constant text stays one through what is only spelling. */
const spelled =
  (change: (text: string) => string): Method =>
  (_machine, subject) => {
    const text = onlyText(subject);
    return text === undefined ? { ...subject, implies: undefined } : constant(change(text));
  };

const replace: Method = (machine, subject, [pattern, replacement], at) => {
  if (replacement !== undefined) callBack(machine, [replacement], at);
  const expression = pattern?.regex;
  const put = onlyText(replacement ?? unknown);
  const literal = onlyText(pattern ?? unknown);
  let granted = 0;
  if (expression !== undefined && put !== undefined)
    granted = bitsWhenReplaced(expression.source, expression.flags, put);
  else if (literal?.length === 1 && put !== undefined) granted = bitsWhenReplaced(`\\${literal}`, 'g', put);
  if (/\\?[[\]]/.test(expression?.source ?? literal ?? '')) granted |= bits.unbracketed;
  if (expression?.source === '\\.+$') return subject;
  return joinText(transform(subject, { drop: bits.exact | bits.dash | bits.notAbsolute, grant: granted }), replacement);
};

function joinText(value: Value, other: Value | undefined): Value {
  return other === undefined || other.taints.length === 0 ? value : join(value, blend([other]));
}

const slice: Method = (_machine, subject, [from, to]) => {
  if (subject.objects.some((object) => object.elements !== undefined)) return subject;
  const isInner = onlyConstant(from ?? unknown)?.value === 1 && onlyConstant(to ?? unknown)?.value === -1;
  const cut = onlyConstant(from ?? unknown)?.value === 0 ? beginning(subject) : piece(subject);
  return isInner ? transform(cut, { grant: bits.unbracketed }) : cut;
};

const joinElements: Method = (machine, subject, [separator], at) => {
  const [object] = subject.objects;
  if (subject.objects.length === 1 && object?.elements !== undefined && object.rest === undefined) {
    const between = separator ?? constant(',');
    return concatenate(object.elements.flatMap((element, index) => (index === 0 ? [element] : [between, element])));
  }
  return blend([elementOf(machine, subject, at)]);
};

const then: Method = (machine, subject, [first, second], at) => {
  const value = settle(subject);
  const result = first === undefined ? value : call(machine, first, [value], at);
  if (second !== undefined) callBack(machine, [second], at);
  return { ...join(result, first === undefined ? nothing : unknown), implies: undefined };
};

const caught: Method = (machine, subject, args, at) => {
  const before = machine.facts;
  callBack(machine, args, at);
  machine.facts = before;
  return { ...subject, implies: undefined };
};

const get: Method = (machine, subject, [key], at) => {
  const parts = subject.objects.flatMap((object) => {
    const field = object.fields.get(onlyText(key ?? unknown) ?? '');
    return field === undefined
      ? [...object.fields.values(), ...(object.rest === undefined ? [] : [object.rest])]
      : [field];
  });
  if (parts.length > 0) return join(joinAll(parts), unknown);
  return subject.taints.length > 0 ? elementOf(machine, subject, at) : unknown;
};

const put: Method = (machine, subject, [key, value]) => {
  const name = onlyText(key ?? unknown);
  for (const object of subject.objects) {
    if (object.kind !== 'collection') continue;
    if (name === undefined) writeElement(machine, object, value ?? key ?? unknown);
    else writeField(machine, object, name, value ?? key ?? unknown, false);
  }
  return subject;
};

const values: Method = (machine, subject, _args, at) => {
  const list = machine.allocate('array');
  list.rest = elementOf(machine, subject, at);
  return { ...ofObject(list), taints: subject.taints };
};

const bindCall: Method = (machine, subject, [receiver, ...args], at) => {
  const bound = {
    ...subject,
    closures: subject.closures.map((closure) => ({
      ...closure,
      receiver: closure.function.arrow ? closure.receiver : receiver,
    })),
  };
  return call(machine, bound, args, at);
};

const bindThis: Method = (_machine, subject, [receiver, ...args]) => {
  if (args.length > 0) return subject;
  return {
    ...subject,
    closures: subject.closures.map((closure) => ({
      ...closure,
      receiver: closure.function.arrow ? closure.receiver : (receiver ?? closure.receiver),
    })),
  };
};

const methods: Readonly<Record<string, Method>> = {
  trim: same,
  trimStart: same,
  trimEnd: same,
  toString: same,
  valueOf: same,
  normalize: same,
  toWellFormed: same,
  flat: same,
  reverse: same,
  sort: same,
  toSorted: same,
  toReversed: same,
  splice: same,
  clone: same,
  href: same,
  toJSON: same,
  optional: same,
  unref: same,
  toLowerCase: spelled((text) => text.toLowerCase()),
  toUpperCase: spelled((text) => text.toUpperCase()),
  toLocaleLowerCase: same,
  toLocaleUpperCase: same,
  substring: slice,
  substr: slice,
  charAt: part,
  split: part,
  pop: part,
  shift: part,
  at: part,
  padStart: part,
  padEnd: part,
  repeat: part,
  slice,
  charCodeAt: number,
  codePointAt: number,
  localeCompare: number,
  toFixed: number,
  replace,
  replaceAll: replace,
  startsWith: (machine, subject, [other]) => startsWith(machine, subject, other ?? unknown),
  endsWith: (_machine, subject, [other]) => endsWith(subject, other ?? unknown),
  includes: (machine, subject, [other]) => includes(machine, subject, other ?? unknown),
  has: (machine, subject, [other]) => includes(machine, subject, other ?? unknown),
  indexOf: (machine, subject, [other]) => position(includes(machine, subject, other ?? unknown)),
  search: (machine, subject, [other]) => position(matches(machine, subject, other ?? unknown)),
  test: (machine, subject, [text]) => matches(machine, text ?? unknown, subject),
  exec: (machine, subject, [text]) =>
    subject.regex === undefined
      ? unknown
      : { ...piece(text ?? unknown), implies: matches(machine, text ?? unknown, subject).implies },
  match: (machine, subject, [regex]) => ({
    ...piece(subject),
    implies: matches(machine, subject, regex ?? unknown).implies,
  }),
  matchAll: part,
  concat: (machine, subject, args, at) =>
    subject.objects.length > 0 ? concatLists(machine, subject, args, at) : concatenate([subject, ...args]),
  join: joinElements,
  map: (machine, subject, [callback], at) => mapList(machine, subject, callback, at),
  flatMap: (machine, subject, [callback], at) => mapList(machine, subject, callback, at),
  forEach: (machine, subject, [callback], at) => forEach(machine, subject, callback, at),
  filter: (machine, subject, [callback], at) => filter(machine, subject, callback, at),
  find: (machine, subject, [callback], at) => find(machine, subject, callback, at),
  findLast: (machine, subject, [callback], at) => find(machine, subject, callback, at),
  some: (machine, subject, [callback], at) => someOf(machine, subject, callback, at),
  every: (machine, subject, [callback], at) => everyOf(machine, subject, callback, at),
  reduce: (machine, subject, [callback, initial], at) => reduce(machine, subject, callback, initial, at),
  push: (machine, subject, args) => push(machine, subject, args),
  unshift: (machine, subject, args) => push(machine, subject, args),
  then,
  catch: caught,
  finally: caught,
  get,
  set: put,
  add: put,
  append: put,
  values,
  entries: values,
  keys: values,
  call: bindCall,
  bind: bindThis,
  apply: (machine, subject, [receiver, list], at) =>
    bindCall(machine, subject, [receiver ?? unknown, elementOf(machine, list ?? unknown, at)], at),
};

export function isMethod(name: string): boolean {
  return Object.hasOwn(methods, name);
}

/** Functions whose receiver decides what they are are only taken for these when the receiver is one. */
export function callMethod(machine: Machine, subject: Value, name: string, args: readonly Value[], at: number): Value {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method !== undefined) return method(machine, subject, args, at);
  const before = machine.facts;
  callBack(machine, args, at);
  machine.facts = before.kind === 'impossible' ? noFacts : before;
  return subject.taints.length > 0 ? piece(subject) : unknown;
}
