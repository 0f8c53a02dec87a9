import { endsWith, includes, isNumber, matches, startsWith } from '../../builtins/checks.ts';
import { bitsWhenReplaced } from '../../engine/alphabet.ts';
import { bits, harmless } from '../../engine/bits.ts';
import { factsOf } from '../../engine/condition.ts';
import { addFacts, noFacts } from '../../engine/facts.ts';
import { readField } from '../../engine/fields.ts';
import type { Machine } from '../../engine/machine.ts';
import type { Model } from '../../engine/program.ts';
import { blend, transform } from '../../engine/text.ts';
import { type Implication, join, ofBoolean, onlyText, unknown, type Value } from '../../engine/value.ts';
import { argumentAt } from './arguments.ts';
import { bitsOfForm, tied } from './expressions.ts';
import { isPath, pathAttributes } from './paths.ts';
import { asText, derive } from './text.ts';

/** What the questions that are asked about text tell. */

const contains: Model = (machine, [container = unknown, item = unknown]) => {
  if (item.taints.length > 0 && container.taints.length > 0) return unknown;
  // `host in allowed_hosts`, and a dictionary or a set is a list of its keys.
  return includes(machine, container.taints.length > 0 ? asText(container) : container, item);
};

/** A text that is empty or missing does nothing. */
const truthy: Model = (_machine, [value = unknown]) => {
  const isText =
    value.taints.length > 0 && value.objects.length + value.externals.length === 0 && value.implies === undefined;
  if (!isText) return value;
  return ofBoolean({
    whenTrue: noFacts,
    whenFalse: factsOf(value, (taint) => ((taint.bits & bits.exact) === 0 ? 0 : harmless)),
  });
};

/** Every property that says what an address must not be is one; only the widest is enough by itself. */
const local = factsOfAddress(bits.not4 | bits.not6);

function factsOfAddress(granted: number): (value: Value) => Value {
  return (value) => ofBoolean({ whenTrue: noFacts, whenFalse: factsOf(value, () => granted) });
}

const addressAttributes: Readonly<Record<string, (value: Value) => Value>> = {
  is_private: local,
  is_loopback: factsOfAddress(0),
  is_link_local: factsOfAddress(0),
  is_reserved: factsOfAddress(0),
  is_multicast: factsOfAddress(0),
  is_unspecified: factsOfAddress(0),
  is_global: (value) => ofBoolean({ whenTrue: factsOf(value, () => bits.not4 | bits.not6), whenFalse: noFacts }),
};

/** A name whose meaning depends on what it is asked of. */
const attribute: Model = (machine, [object = unknown, nameValue = unknown], at) => {
  const name = onlyText(nameValue) ?? '';
  const ofPath = Object.hasOwn(pathAttributes, name) ? pathAttributes[name] : undefined;
  if (ofPath !== undefined && isPath(object)) return ofPath(object);
  const ofAddress = Object.hasOwn(addressAttributes, name) ? addressAttributes[name] : undefined;
  if (ofAddress !== undefined && object.taints.length > 0) return ofAddress(object);
  // A member of an enumeration is its value.
  if (name === 'value' && object.constants.length > 0 && object.objects.length === 0) return object;
  return readField(machine, object, name, at);
};

function patternOf(value: Value | undefined): { readonly source: string; readonly flags: string } | undefined {
  if (value?.regex !== undefined) return value.regex;
  const source = value === undefined ? undefined : onlyText(value);
  return source === undefined ? undefined : { source, flags: '' };
}

function withForm(subject: Value, { regex }: Value, implies: Implication | undefined): Implication | undefined {
  if (implies === undefined || regex === undefined) return implies;
  const granted = bitsOfForm(regex.source, regex.flags);
  const form = factsOf(subject, (taint) => ((taint.bits & bits.exact) === 0 ? 0 : granted));
  return { ...implies, whenTrue: addFacts(implies.whenTrue, form) };
}

/** `re.match(pattern, text)`: true when it matches, and then a part of the text. */
export function match(machine: Machine, how: string, pattern: Value | undefined, subject: Value, at: number): Value {
  const known = patternOf(pattern);
  if (known === undefined) return derive(subject, at);
  const regex: Value = { ...unknown, regex: { source: tied(known.source, how), flags: known.flags } };
  return { ...derive(subject, at), implies: withForm(subject, regex, matches(machine, subject, regex).implies) };
}

export function substitute(
  pattern: Value | undefined,
  replacement: Value | undefined,
  subject: Value,
  at: number,
): Value {
  const known = patternOf(pattern);
  const put = onlyText(replacement ?? unknown);
  const granted = known === undefined || put === undefined ? 0 : bitsWhenReplaced(known.source, `${known.flags}g`, put);
  const left = transform(derive(subject, at), { grant: granted });
  return replacement === undefined || replacement.taints.length === 0 ? left : join(left, blend([replacement]));
}

const compile: Model = (machine, args, at) => {
  const pattern = patternOf(args[0]);
  const flags =
    args[1]?.externals.some(({ path }) => path.at(-1) === 'IGNORECASE' || path.at(-1) === 'I') === true ? 'i' : '';
  if (pattern === undefined) return argumentAt(machine, args, 0, 'pattern', at) ?? unknown;
  return { ...unknown, isOpen: false, regex: { source: pattern.source, flags } };
};

const find =
  (how: string): Model =>
  (machine, [pattern, subject = unknown], at) =>
    match(machine, how, pattern, subject, at);

export function textQuestion(
  machine: Machine,
  subject: Value,
  name: string,
  args: readonly Value[],
): Value | undefined {
  const [first = unknown] = args;
  switch (name) {
    case 'startswith':
      return startsWith(
        machine,
        asText(subject),
        first.objects.some((object) => object.elements !== undefined) ? unknown : asText(first),
      );
    case 'endswith':
      return endsWith(asText(subject), first);
    case 'isdigit':
    case 'isdecimal':
    case 'isnumeric':
    case 'isalnum':
    case 'isalpha':
    case 'isidentifier':
      return isNumber(subject);
    default:
      return undefined;
  }
}

const number: Model = (_machine, [value = unknown]) => transform(asText(value), { drop: bits.exact, grant: harmless });

export const checkModels: Readonly<Record<string, Model>> = {
  'builtins.#contains': contains,
  'builtins.#attribute': attribute,
  'builtins.#truthy': truthy,
  'builtins.#checked': (machine, [value = unknown]) => ({
    ...value,
    taints: value.taints.map((taint) => ({
      ...taint,
      bits: machine.isDead ? taint.bits : machine.effectiveBits(taint),
    })),
  }),
  'builtins.int': number,
  'builtins.float': number,
  'builtins.bool': (_machine, [value = unknown]) => (value.implies === undefined ? unknown : ofBoolean(value.implies)),
  'builtins.len': () => unknown,
  'builtins.ord': () => unknown,
  'builtins.hash': () => unknown,
  'builtins.abs': number,
  'builtins.round': number,
  'builtins.isinstance': () => unknown,
  'builtins.hasattr': () => unknown,
  'uuid.UUID': number,
  're.compile': compile,
  're.match': find('match'),
  're.fullmatch': find('fullmatch'),
  're.search': find('search'),
  're.findall': (_machine, [, subject = unknown], at) => derive(subject, at),
  're.split': (_machine, [, subject = unknown], at) => derive(subject, at),
  're.sub': (_machine, [pattern, replacement, subject = unknown], at) => substitute(pattern, replacement, subject, at),
  're.escape': (_machine, [value = unknown]) => transform(value, { drop: bits.exact, grant: bits.regex }),
};
