import { bits, harmless } from '../engine/bits.ts';
import { call, callBack } from '../engine/call.ts';
import { settle } from '../engine/evaluate.ts';
import { elementOf, writeElement, writeField } from '../engine/fields.ts';
import type { Machine } from '../engine/machine.ts';
import { blend, concatenate, piece, transform } from '../engine/text.ts';
import {
  constant,
  type External,
  join,
  nothing,
  ofExternal,
  ofObject,
  onlyText,
  unknown,
  type Value,
} from '../engine/value.ts';
import { isNumber } from './checks.ts';
import { pathModels } from './paths.ts';

export type Model = (machine: Machine, args: readonly Value[], at: number, external: External) => Value;

const asNumber: Model = (_machine, [first]) => transform(first ?? unknown, { drop: bits.exact, grant: harmless });
const first: Model = (_machine, args) => args[0] ?? unknown;
const nothingOf: Model = (machine, args, at) => {
  callBack(machine, args, at);
  return unknown;
};

function list(machine: Machine, rest: Value): Value {
  const array = machine.allocate('array');
  array.rest = rest;
  return { ...ofObject(array), taints: rest.taints };
}

/** `Object.entries`: pairs in order, so that a table of tools keeps its names. */
const entries: Model = (machine, [subject], at) => {
  const [object] = subject?.objects ?? [];
  if (subject === undefined || object === undefined || object.kind === 'arguments' || subject.objects.length !== 1) {
    const value = elementOf(machine, subject ?? unknown, at);
    return list(machine, ofObject(machine.allocate('array', { elements: [value, value] })));
  }
  const pairs = [...object.fields].map(([name, value]) =>
    ofObject(machine.allocate('array', { elements: [constant(name), value] })),
  );
  const result = machine.allocate('array', { elements: pairs });
  if (object.rest !== undefined)
    result.rest = ofObject(machine.allocate('array', { elements: [unknown, object.rest] }));
  return ofObject(result);
};

const valuesOf: Model = (machine, [subject], at) => {
  const [object] = subject?.objects ?? [];
  if (
    subject === undefined ||
    object === undefined ||
    object.kind === 'arguments' ||
    object.rest !== undefined ||
    subject.objects.length !== 1
  ) {
    return list(machine, elementOf(machine, subject ?? unknown, at));
  }
  return ofObject(machine.allocate('array', { elements: [...object.fields.values()] }));
};

const keysOf: Model = (machine, [subject], at) => {
  const names = (subject?.objects ?? []).flatMap((object) => [...object.fields.keys()]);
  if (names.length > 0 && subject?.taints.length === 0)
    return ofObject(machine.allocate('array', { elements: names.map(constant) }));
  return list(machine, blend([elementOf(machine, subject ?? unknown, at)]));
};

const assignAll: Model = (machine, [target, ...sources]) => {
  for (const object of target?.objects ?? []) {
    for (const source of sources) {
      for (const from of source.objects)
        for (const [name, value] of from.fields) writeField(machine, object, name, value, false);
      if (source.taints.length > 0) writeElement(machine, object, source);
    }
  }
  return target ?? unknown;
};

const arrayFrom: Model = (machine, [subject, callback], at) => {
  if (callback === undefined) return subject ?? unknown;
  return list(machine, call(machine, callback, [elementOf(machine, subject ?? unknown, at)], at));
};

/** A promise is what it will be. */
const newPromise: Model = (machine, [executor], at) => {
  const promise = machine.allocate('promise');
  const resolve: Value = ofExternal('#resolve', [], ofObject(promise));
  const before = machine.facts;
  if (executor !== undefined) call(machine, executor, [resolve, unknown], at);
  machine.facts = before;
  return { ...ofObject(promise), isOpen: true };
};

const resolvePromise: Model = (_machine, [value], _at, external) => {
  for (const object of external.receiver?.objects ?? [])
    object.rest = join(object.rest ?? nothing, settle(value ?? unknown));
  return unknown;
};

const all: Model = (machine, [subject], at) => {
  const [object] = subject?.objects ?? [];
  if (subject?.objects.length === 1 && object?.elements !== undefined && object.rest === undefined) {
    return ofObject(machine.allocate('array', { elements: object.elements.map(settle) }));
  }
  return list(machine, settle(elementOf(machine, subject ?? unknown, at)));
};

const newCollection: Model = (machine, [source], at) => {
  const collection = machine.allocate('collection');
  const pairs = source?.objects.flatMap((object) => object.elements ?? []) ?? [];
  for (const pair of pairs) {
    const [key, value] = pair.objects[0]?.elements ?? [];
    const name = key === undefined ? undefined : onlyText(key);
    if (name !== undefined && value !== undefined) writeField(machine, collection, name, value, true);
    else writeElement(machine, collection, pair);
  }
  if (source !== undefined && pairs.length === 0) writeElement(machine, collection, elementOf(machine, source, at));
  return { ...ofObject(collection), taints: source?.taints ?? [] };
};

/** With a base that the caller did not choose, only an absolute address leaves the host. */
const newUrl: Model = (_machine, [address, base]) => {
  const url = transform(address ?? unknown, { drop: bits.exact });
  const rooted = address !== undefined && /^\/[^/]/.test(address.text ?? '');
  if (base === undefined || !rooted) {
    const taints = (address?.taints ?? []).map((taint) => ({ ...taint, bits: taint.bits & ~bits.exact }));
    return {
      ...url,
      taints: base === undefined ? taints : join({ ...url, taints }, blend([base])).taints,
      role: address?.role === 'package-path' || base?.role === 'package-path' ? 'package-path' : undefined,
    };
  }
  return concatenate([join(base, unknown), address]);
};

const later: Model = (machine, [callback], at) => {
  if (callback !== undefined) callBack(machine, [callback], at);
  return unknown;
};

const isIp: Model = (_machine, [host]) => ({ ...(host ?? unknown), role: 'is-ip', implies: undefined });

const stringify: Model = (machine, [subject], at) => {
  const value = subject ?? unknown;
  const inner = value.objects.flatMap((object) => [
    ...object.fields.values(),
    ...(object.elements ?? []),
    ...(object.rest === undefined ? [] : [object.rest]),
  ]);
  return blend([value, ...inner, ...(value.objects.length > 0 ? [elementOf(machine, value, at)] : [])]);
};

const newRegex: Model = (_machine, [source, flags]) => {
  const text = source === undefined ? undefined : onlyText(source);
  return text === undefined
    ? source?.regex === undefined
      ? unknown
      : source
    : { ...unknown, isOpen: false, regex: { source: text, flags: flags === undefined ? '' : (onlyText(flags) ?? '') } };
};

const encoded: Model = (_machine, [value]) =>
  transform(value ?? unknown, {
    drop: bits.exact,
    grant: bits.shell | bits.component | bits.sql | bits.hostAllowed | bits.template,
  });

/** Libraries that quote for a shell. */
const quoted: Model = (machine, [value], at) =>
  transform(blend([value ?? unknown, elementOf(machine, value ?? unknown, at)]), { grant: bits.shell });

const nobody: External = { module: '', path: [], name: '', receiver: undefined };

const models: Readonly<Record<string, Model>> = {
  'JSON.stringify': stringify,
  'JSON.parse': (_machine, [value]) => ({ ...piece(value ?? unknown) }),
  'Object.entries': entries,
  'Object.values': valuesOf,
  'Object.keys': keysOf,
  'Object.assign': assignAll,
  'Object.freeze': first,
  'Object.seal': first,
  'Object.create': () => unknown,
  'Object.fromEntries': (machine, [subject], at) => elementOf(machine, elementOf(machine, subject ?? unknown, at), at),
  'Array.from': arrayFrom,
  'Array.isArray': () => unknown,
  'Array.of': (machine, args) => ofObject(machine.allocate('array', { elements: [...args] })),
  String: first,
  Boolean: () => unknown,
  Number: asNumber,
  BigInt: asNumber,
  parseInt: asNumber,
  parseFloat: asNumber,
  'Number.parseInt': asNumber,
  'Number.parseFloat': asNumber,
  'Number.isInteger': (_machine, [value]) => isNumber(value ?? unknown),
  'Number.isFinite': (_machine, [value]) => isNumber(value ?? unknown),
  encodeURIComponent: encoded,
  escape: encoded,
  encodeURI: first,
  decodeURIComponent: (_machine, [value]) => transform(value ?? unknown, { drop: ~(bits.exact | bits.looked) }),
  decodeURI: (_machine, [value]) => transform(value ?? unknown, { drop: ~(bits.exact | bits.looked) }),
  'URL.new': newUrl,
  'url.URL.new': newUrl,
  'url.parse': newUrl,
  'URLSearchParams.new': (machine, args, at) =>
    encoded(machine, [blend([...args, elementOf(machine, args[0] ?? unknown, at)])], at, nobody),
  'querystring.stringify': (machine, args, at) =>
    encoded(machine, [blend([...args, elementOf(machine, args[0] ?? unknown, at)])], at, nobody),
  'querystring.escape': encoded,
  'Buffer.from': (_machine, [value]) => transform(value ?? unknown, { drop: bits.exact }),
  'Promise.resolve': first,
  'Promise.reject': (machine) => {
    machine.die();
    return nothing;
  },
  'Promise.all': all,
  'Promise.allSettled': all,
  'Promise.race': (machine, [subject], at) => settle(elementOf(machine, subject ?? unknown, at)),
  'Promise.any': (machine, [subject], at) => settle(elementOf(machine, subject ?? unknown, at)),
  'Promise.new': newPromise,
  '#resolve': resolvePromise,
  'Set.new': newCollection,
  'Map.new': newCollection,
  'WeakMap.new': newCollection,
  'RegExp.new': newRegex,
  RegExp: newRegex,
  'Error.new': () => unknown,
  setTimeout: later,
  setInterval: later,
  setImmediate: later,
  queueMicrotask: later,
  structuredClone: first,
  'net.isIP': isIp,
  'net.isIPv4': () => unknown,
  'net.isIPv6': () => unknown,
  'shell-quote.quote': quoted,
  'shell-escape': quoted,
  shescape: quoted,
  'shlex.quote': quoted,
  'process.cwd': () => unknown,
  'process.exit': (machine) => {
    machine.die();
    return nothing;
  },
  ...pathModels,
};

/** Names on the way that change nothing. */
const passing = new Set(['promises', 'posix', 'default', 'native']);

export function findModel(module: string, path: readonly string[]): Model | undefined {
  if (module === 'console') return nothingOf;
  if (path.length > 3) return undefined;
  const names = path.filter((name) => !passing.has(name));
  const key = [module === 'fs/promises' ? 'fs' : module, ...names].join('.');
  return Object.hasOwn(models, key) ? models[key] : undefined;
}
