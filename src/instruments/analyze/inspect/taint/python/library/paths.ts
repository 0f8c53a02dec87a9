import { isAbsolute } from '../../builtins/checks.ts';
import { bits } from '../../engine/bits.ts';
import { factsOf } from '../../engine/condition.ts';
import { noFacts } from '../../engine/facts.ts';
import type { Machine } from '../../engine/machine.ts';
import type { Model } from '../../engine/program.ts';
import { note } from '../../engine/sink.ts';
import { piece, transform } from '../../engine/text.ts';
import {
  constant,
  type Extent,
  extents,
  joinTaints,
  nothing,
  ofBoolean,
  ofExternal,
  onlyConstant,
  onlyText,
  type Taint,
  unknown,
  type Value,
} from '../../engine/value.ts';
import { passedOf } from './arguments.ts';
import { asText } from './text.ts';

export type Method = (machine: Machine, subject: Value, args: readonly Value[], at: number) => Value;

const pathModule = 'pathlib';

/** An object of `pathlib`: the text of the path, known to be one. */
export function asPath(value: Value): Value {
  return {
    ...value,
    externals: ofExternal(pathModule, ['Path']).externals,
    isOpen: false,
    objects: [],
    implies: undefined,
  };
}

export function isPath(value: Value): boolean {
  return value.externals.some(
    ({ module, path }) => (module === pathModule || module === 'anyio') && /Path$/.test(path[0] ?? ''),
  );
}

/** Joining neither takes `..` away nor keeps an absolute path from winning. */
export function joinPaths(parts: readonly Value[]): Value {
  let taints: readonly Taint[] = [];
  for (const [index, part] of parts.entries()) {
    const isFirst = index === 0;
    const lost =
      bits.exact |
      bits.relative |
      bits.host |
      bits.normalised |
      bits.real |
      bits.prefix |
      bits.prefixReal |
      bits.prefixWeak;
    taints = joinTaints(
      taints,
      part.taints.map(
        (taint): Taint => ({
          ...taint,
          bits: (taint.bits & ~lost) | (isFirst ? 0 : bits.anchored | bits.joined),
          extent: Math.max(taint.extent, extents.start) as Extent,
        }),
      ),
    );
  }
  const texts = parts.map((part) => onlyText({ ...part, externals: [] }));
  const isPackage =
    parts[0]?.role === 'package-path' && parts.slice(1).every((part) => onlyConstant(part) !== undefined);
  if (taints.length === 0 && parts.length > 0 && texts.every((one) => one !== undefined))
    return constant(texts.join('/').replace(/\/+/g, '/'));
  const text = parts
    .map((part) => part.text ?? '\u0000')
    .join('/')
    .slice(0, 400);
  return { ...nothing, isOpen: true, taints, text, role: isPackage ? 'package-path' : undefined };
}

const keep =
  (grant: number): Method =>
  (_machine, subject) => ({
    ...subject,
    implies: undefined,
    taints: subject.taints.map((taint) => ({ ...taint, bits: taint.bits | grant })),
  });
const same = keep(0);
const normalise = keep(bits.normalised);
const resolve = keep(bits.normalised | bits.real);

/** Compared by components, so that `/base-other` is not below `/base`; what still holds `..` is below anything. */
function below(subject: Value, base: Value): ReturnType<typeof factsOf> {
  if (base.taints.length > 0) return noFacts;
  return factsOf(subject, (taint) => {
    if ((taint.bits & (bits.normalised | bits.real)) === 0) return bits.looked;
    const fixed = base.role === 'package-path' ? bits.fixedBase : 0;
    return bits.prefix | bits.looked | fixed | ((taint.bits & bits.real) === 0 ? 0 : bits.prefixReal);
  });
}

export function isBelow(subject: Value, base: Value): Value {
  return ofBoolean({ whenTrue: below(subject, base), whenFalse: noFacts });
}

/** Raises for what is not below the base. */
const relativeTo: Method = (machine, subject, [base = unknown]) => {
  machine.learn(below(subject, base));
  return transform(subject, { drop: bits.exact });
};

const baseName = (value: Value) =>
  transform(asText(value), { drop: bits.exact, grant: bits.component | bits.notAbsolute });
const suffix = (value: Value) =>
  transform(asText(value), { drop: bits.exact, grant: bits.component | bits.noDots | bits.dash | bits.notAbsolute });
const folder = (value: Value): Value => ({
  ...value,
  implies: undefined,
  taints: value.taints.map((taint) => ({ ...taint, bits: taint.bits & ~bits.exact })),
});

/** What is asked of a path without calling. */
export const pathAttributes: Readonly<Record<string, (value: Value) => Value>> = {
  name: baseName,
  stem: baseName,
  suffix,
  suffixes: suffix,
  parent: folder,
  parents: (value) => piece(asText(value)),
  parts: (value) => transform(asText(value), { drop: bits.exact }),
};

export const pathMethods: Readonly<Record<string, Method>> = {
  resolve,
  absolute: same,
  expanduser: same,
  as_posix: (_machine, subject) => asText(subject),
  as_uri: (_machine, subject) => asText(subject),
  with_suffix: same,
  with_name: (_machine, subject, [name = unknown]) => asPath(joinPaths([folder(subject), name])),
  joinpath: (_machine, subject, args) => asPath(joinPaths([subject, ...passedOf(args).positional])),
  relative_to: (machine, subject, args, at) => asPath(relativeTo(machine, subject, args, at)),
  is_relative_to: (_machine, subject, [base = unknown]) => isBelow(subject, base),
  is_absolute: (_machine, subject) => isAbsolute(subject),
  cwd: () => asPath(unknown),
  home: () => asPath(unknown),
};

/** A method of a path that opens, lists or changes it; the path itself is what it acts on. */
export function callPathMethod(
  machine: Machine,
  subject: Value,
  name: string,
  args: readonly Value[],
  at: number,
): Value | undefined {
  for (const sink of machine.program.sinks.byModule(pathModule, name)) {
    note(machine, sink, sink.category, `Path.${name}`, subject, at);
    if (sink.arguments.includes(0))
      for (const argument of args.slice(0, 1)) note(machine, sink, sink.category, `Path.${name}`, argument, at);
    return /^(?:iterdir|glob|rglob)$/.test(name) ? asPath(piece(unknown)) : unknown;
  }
  const method = Object.hasOwn(pathMethods, name) ? pathMethods[name] : undefined;
  return method?.(machine, subject, args, at);
}

const onFirst =
  (method: Method): Model =>
  (machine, [subject = unknown, ...others], at) =>
    method(machine, asText(subject), others, at);

/** What all have in common is the base exactly when the path is below it. */
const common =
  (isByComponent: boolean): Model =>
  (_machine, args) => {
    const parts = args
      .flatMap((argument) => argument.objects.flatMap((object) => object.elements ?? []))
      .concat(args.filter((argument) => argument.objects.length === 0));
    const lost = isByComponent ? bits.exact : bits.exact | bits.normalised | bits.real;
    const taints = parts.reduce<readonly Taint[]>(
      (all, part) =>
        joinTaints(
          all,
          part.taints.map((taint) => ({ ...taint, bits: taint.bits & ~lost })),
        ),
      [],
    );
    return { ...unknown, taints };
  };

const relative: Model = (_machine, [path = unknown, base]) => {
  const fixed = base?.role === 'package-path' ? bits.fixedBase : 0;
  return transform(asText(path), { drop: bits.exact, grant: bits.relative | fixed });
};

export const pathModels: Readonly<Record<string, Model>> = {
  'builtins.#divide': (_machine, [left = unknown, right = unknown]) => asPath(joinPaths([left, right])),
  'builtins.#below': (_machine, [path = unknown, base = unknown]) => isBelow(path, base),
  'os.path.join': (_machine, args) => joinPaths(args.map(asText)),
  'os.path.realpath': onFirst(resolve),
  'os.path.abspath': onFirst(normalise),
  'os.path.normpath': onFirst(normalise),
  'os.path.expanduser': onFirst(same),
  'os.path.expandvars': onFirst(same),
  'os.path.normcase': onFirst(same),
  'os.fspath': onFirst(same),
  'os.path.basename': (_machine, [path = unknown]) => baseName(path),
  'werkzeug.utils.secure_filename': (_machine, [path = unknown]) => baseName(path),
  'os.path.dirname': (_machine, [path = unknown]) => folder(asText(path)),
  'os.path.relpath': relative,
  'os.path.commonpath': common(true),
  'os.path.commonprefix': common(false),
  'os.path.isabs': (_machine, [path = unknown]) => isAbsolute(path),
  'os.path.exists': () => unknown,
  'os.path.isfile': () => unknown,
  'os.path.isdir': () => unknown,
  'os.path.splitext': (machine, [path = unknown]) => ({
    ...nothing,
    objects: [machine.allocate('array', { elements: [transform(path, { drop: bits.exact }), suffix(path)] })],
  }),
  'os.path.split': (machine, [path = unknown]) => ({
    ...nothing,
    objects: [machine.allocate('array', { elements: [folder(path), baseName(path)] })],
  }),
  'os.getcwd': () => unknown,
  'tempfile.gettempdir': () => unknown,
};

const makers = new Set(['Path', 'PurePath', 'PosixPath', 'PurePosixPath', 'WindowsPath', 'PureWindowsPath']);

/** `pathlib.Path(…)` and the methods of what it makes. */
export function findPathModel(module: string, path: readonly string[]): Model | undefined {
  if (module !== pathModule && module !== 'anyio') return undefined;
  if (!makers.has(path[0] ?? '')) return undefined;
  if (path.length === 1)
    return (_machine, args) => asPath(args.length <= 1 ? asText(args[0] ?? unknown) : joinPaths(args.map(asText)));
  const name = path.at(-1) ?? '';
  return (machine, args, at, external) =>
    callPathMethod(machine, external.receiver ?? unknown, name, args, at) ??
    asPath(piece(external.receiver ?? unknown));
}
