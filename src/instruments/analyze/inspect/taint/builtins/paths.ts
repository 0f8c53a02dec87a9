import { bits } from '../engine/bits.ts';
import { factsOf } from '../engine/condition.ts';
import { noFacts } from '../engine/facts.ts';
import { concatenate, transform } from '../engine/text.ts';
import {
  constant,
  type Extent,
  extents,
  joinTaints,
  nothing,
  ofBoolean,
  onlyConstant,
  type Taint,
  unknown,
  type Value,
} from '../engine/value.ts';
import { isAbsolute } from './checks.ts';
import type { Model } from './models.ts';

/** What the functions of `path` and `fs.realpath` do to tainted text. */

/** Every part is the package's own or constant. */
function isPackagePath(args: readonly Value[]): boolean {
  return (
    args.some((argument) => argument.role === 'package-path') &&
    args.every((argument) => argument.role === 'package-path' || onlyConstant(argument) !== undefined)
  );
}

function below(args: readonly Value[], isResolving: boolean): Value {
  let taints: readonly Taint[] = [];
  for (const [at, argument] of args.entries()) {
    const isBased = at > 0;
    taints = joinTaints(
      taints,
      argument.taints.map((taint): Taint => {
        // `resolve` lets an absolute argument win; `join` never does.
        const anchor = isBased ? bits.anchored : 0;
        const kept = taint.bits & ~(isBased ? bits.exact : 0) & ~(bits.relative | bits.host);
        const extent: Extent = isBased ? (isResolving ? extents.start : extents.inside) : taint.extent;
        return { ...taint, bits: kept | anchor | bits.normalised, extent };
      }),
    );
  }
  const known = args.map(onlyConstant);
  const text = args.map((argument) => argument.text ?? '\u0000').join('/');
  if (!isResolving && args.length > 0 && known.every((one) => typeof one?.value === 'string')) {
    return constant(
      known
        .map((one) => String(one?.value))
        .join('/')
        .replace(/\/+/g, '/'),
    );
  }
  return {
    ...nothing,
    isOpen: true,
    taints,
    text: text.slice(0, 400),
    role: isPackagePath(args) ? 'package-path' : undefined,
  };
}

const joinPaths: Model = (_machine, args) => below(args, false);
const resolvePaths: Model = (_machine, args) => below(args, true);
const normalise: Model = (_machine, [path]) => ({
  ...(path ?? unknown),
  implies: undefined,
  taints: (path?.taints ?? []).map((taint) => ({ ...taint, bits: taint.bits | bits.normalised })),
});
const resolveLinks: Model = (_machine, [path]) => ({
  ...unknown,
  taints: (path?.taints ?? []).map((taint) => ({ ...taint, bits: taint.bits | bits.normalised | bits.real })),
  role: path?.role,
});

const relative: Model = (_machine, [base, path]) => {
  const fixed = base?.role === 'package-path' ? bits.fixedBase : 0;
  return transform(path ?? unknown, { drop: bits.exact, grant: bits.relative | fixed });
};

const baseName: Model = (_machine, [path]) =>
  transform(path ?? unknown, { drop: bits.exact, grant: bits.component | bits.notAbsolute });
const folderOf: Model = (_machine, [path]) => ({
  ...unknown,
  taints: (path?.taints ?? []).map((taint) => ({ ...taint, bits: taint.bits & ~bits.exact })),
  role: path?.role,
});
const extension: Model = (_machine, [path]) =>
  transform(path ?? unknown, { drop: bits.exact, grant: bits.component | bits.noDots | bits.dash | bits.notAbsolute });

export const pathModels: Readonly<Record<string, Model>> = {
  'path.join': joinPaths,
  'path.resolve': resolvePaths,
  'path.normalize': normalise,
  'path.relative': relative,
  'path.basename': baseName,
  'path.dirname': folderOf,
  'path.extname': extension,
  'path.isAbsolute': (_machine, [path]) => isAbsolute(path ?? unknown),
  'path.toNamespacedPath': normalise,
  'path.format': (_machine, [path]) => path ?? unknown,
  'fs.realpath': resolveLinks,
  'fs.realpathSync': resolveLinks,
  'fs.existsSync': () => ofBoolean({ whenTrue: factsOf(unknown, () => 0), whenFalse: noFacts }),
  'url.fileURLToPath': (_machine, [url]) => ({ ...(url ?? unknown), implies: undefined }),
  'url.pathToFileURL': (_machine, [path]) => ({ ...(path ?? unknown), implies: undefined }),
  'os.homedir': () => unknown,
  'os.tmpdir': () => unknown,
  'path.posix.join': (_machine, args) => concatenate(args),
};
