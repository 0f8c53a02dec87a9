import { bits } from './bits.ts';
import { type Extent, extents, joinTaints, nothing, onlyConstant, type Taint, type Value } from './value.ts';

/** Stands for what is not known inside of a text that is put together. */
export const gap = '\u0000';
const longestText = 400;

/** Bits that survive being one piece among others. */
const kept =
  bits.shell |
  bits.sql |
  bits.code |
  bits.regex |
  bits.template |
  bits.component |
  bits.noDots |
  bits.looked |
  bits.dash |
  bits.hostAllowed |
  bits.authority;

/** A scheme and nothing yet that ends the host: `https://`, `https://api.example.com`. */
const openHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*$/i;

function asPiece(taint: Taint, isFirst: boolean, isHost: boolean): Taint {
  // What begins a text decides how all of it begins.
  const anchored = isFirst ? taint.bits & bits.notAbsolute : bits.anchored | bits.notAbsolute | bits.dash;
  return {
    ...taint,
    bits: (taint.bits & kept) | anchored | (isHost ? bits.authority : 0),
    extent: isFirst ? (Math.max(taint.extent, extents.start) as Extent) : extents.inside,
  };
}

/** The text made of pieces, in order: `a + b`, a template, `join`. */
export function concatenate(pieces: readonly Value[]): Value {
  const full = pieces.filter((piece) => onlyConstant(piece)?.value !== '');
  const [only] = full;
  if (only === undefined) return { ...nothing, constants: [''], text: '' };
  if (full.length === 1) return only;
  const constants = full.map((piece) => onlyConstant(piece));
  const last = full.at(-1);
  const endsWithSeparator =
    last !== undefined && (last.endsWithSeparator || last.role === 'separator' || /[/\\]$/.test(last.text ?? ''));
  const text = full
    .map((piece) => (piece.taints.length > 0 ? (piece.text ?? gap) : (piece.text ?? constantText(piece) ?? gap)))
    .join('')
    .slice(0, longestText);
  if (constants.every((one) => one !== undefined)) {
    const value = constants.map((one) => String(one?.value)).join('');
    return { ...nothing, constants: [value], text: value.slice(0, longestText), endsWithSeparator };
  }
  let taints: readonly Taint[] = [];
  let before = '';
  for (const [at, piece] of full.entries()) {
    const own = piece.text ?? constantText(piece) ?? gap;
    const isHost = openHost.test(before + own.slice(0, Math.max(own.indexOf(gap), 0)));
    taints = joinTaints(
      taints,
      piece.taints.map((taint) => asPiece(taint, at === 0, isHost)),
    );
    before += own;
  }
  const isPackagePath =
    only.role === 'package-path' && full.slice(1).every((piece) => onlyConstant(piece) !== undefined);
  return {
    ...nothing,
    isOpen: true,
    taints,
    text,
    endsWithSeparator,
    role: isPackagePath ? 'package-path' : undefined,
  };
}

function constantText(piece: Value): string | undefined {
  const only = onlyConstant(piece);
  return only === undefined ? undefined : String(only.value);
}

/** The same taints after an operation that takes some bits away and grants others. */
export function transform(value: Value, change: { readonly drop?: number; readonly grant?: number }): Value {
  const taints = value.taints.map((taint) => ({
    ...taint,
    bits: (taint.bits & ~(change.drop ?? 0)) | (change.grant ?? 0),
  }));
  return { ...nothing, isOpen: true, taints };
}

/** Bits that say what the value *is*; a piece of it is something else. */
export const identity = bits.exact | bits.normalised | bits.real | bits.relative | bits.host | bits.unbracketed;

/** A piece of a text: what was excluded stays excluded, and it may begin with anything that was inside. */
export function piece(value: Value): Value {
  const taints = value.taints.map((taint) => ({
    ...taint,
    bits:
      taint.bits &
      ~(bits.exact | bits.normalised | bits.real | bits.relative | bits.dash | bits.notAbsolute | bits.anchored),
    extent: extents.start,
  }));
  return { ...nothing, isOpen: true, taints };
}

/** The beginning of a text: what was cleared away in front stays away. */
export function beginning(value: Value): Value {
  const taints = value.taints.map((taint) => ({
    ...taint,
    bits: taint.bits & ~bits.exact,
    extent: Math.max(taint.extent, extents.start) as Extent,
  }));
  return { ...nothing, isOpen: true, taints };
}

/** One tainted value out of several, as for a call whose inside is not known. */
export function blend(values: readonly Value[]): Value {
  const taints = values.reduce<readonly Taint[]>((all, value) => joinTaints(all, value.taints), []);
  return {
    ...nothing,
    isOpen: true,
    taints: taints.map((taint) => ({ ...taint, bits: taint.bits & kept, extent: extents.start })),
  };
}
