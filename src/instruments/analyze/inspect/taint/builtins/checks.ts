import { bitsWhenMatching, bitsWhenNotMatching } from '../engine/alphabet.ts';
import { bits, harmless } from '../engine/bits.ts';
import { factsOf, hostIsNot } from '../engine/condition.ts';
import { addFacts, type Facts, noFacts } from '../engine/facts.ts';
import type { Machine } from '../engine/machine.ts';
import { type Implication, ofBoolean, onlyText, type Taint, unknown, type Value } from '../engine/value.ts';

/** What the questions that are asked about text tell: `startsWith`, `includes`, `test` and their kind. */

const silent: Implication = { whenTrue: noFacts, whenFalse: noFacts };

function isExact(taint: Taint): boolean {
  return (taint.bits & bits.exact) !== 0;
}

/** Text below a base. Without a separator at its end, `/base-other` begins with `/base` as well. */
function belowBase(base: Value): (taint: Taint) => number {
  const isStrong = base.endsWithSeparator || /[/\\]$/.test(onlyText(base) ?? '');
  return (taint) => {
    const isNormal = (taint.bits & (bits.normalised | bits.real)) !== 0;
    if (!isNormal) return bits.looked;
    const real = (taint.bits & bits.real) !== 0 ? bits.prefixReal : 0;
    const fixed = base.role === 'package-path' ? bits.fixedBase : 0;
    return (isStrong ? bits.prefix : bits.prefixWeak) | real | fixed | bits.looked;
  };
}

const beginnings: Readonly<Record<string, number>> = {
  '/': bits.notAbsolute,
  '\\': 0,
  '-': bits.dash,
  '--': 0,
};

export function startsWith(machine: Machine, subject: Value, other: Value): Value {
  if (subject.taints.length === 0 || other.taints.length > 0) return unknown;
  const text = onlyText(other);
  if (text === '..' || text === '../') {
    const outside = (taint: Taint) => {
      if ((taint.bits & bits.relative) === 0) return bits.looked;
      return (
        bits.prefix |
        bits.looked |
        ((taint.bits & bits.real) !== 0 ? bits.prefixReal : 0) |
        (taint.bits & bits.fixedBase)
      );
    };
    return ofBoolean({ whenTrue: noFacts, whenFalse: factsOf(subject, outside) });
  }
  if (text === '[') return ofBoolean({ whenTrue: noFacts, whenFalse: factsOf(subject, () => bits.unbracketed) });
  const begins = text === undefined ? undefined : beginnings[text];
  if (begins !== undefined)
    return ofBoolean({ whenTrue: noFacts, whenFalse: factsOf(subject, (taint) => (isExact(taint) ? begins : 0)) });
  if (text !== undefined && /^https?:\/\/[^/]+\//.test(text))
    return ofBoolean({ ...silent, whenTrue: factsOf(subject, () => bits.hostAllowed) });
  const away = hostIsNot(machine, subject, text);
  const isFolder = text === undefined || /[/\\]/.test(text);
  return ofBoolean({ whenTrue: isFolder ? factsOf(subject, belowBase(other)) : noFacts, whenFalse: away });
}

export function endsWith(subject: Value, other: Value): Value {
  const text = onlyText(other);
  if (text === ']') return ofBoolean({ whenTrue: noFacts, whenFalse: factsOf(subject, () => bits.unbracketed) });
  const isDomain = text === undefined || text.startsWith('.');
  const granted = (taint: Taint) => ((taint.bits & bits.host) !== 0 && isDomain ? bits.hostAllowed : 0);
  // `.localhost` and `.local` are what a guard turns away, not what it lets in.
  return text !== undefined && /local/.test(text)
    ? unknown
    : ofBoolean({ ...silent, whenTrue: factsOf(subject, granted) });
}

/** A member of something that the caller did not choose. */
function member(taint: Taint): number {
  if (isExact(taint)) return harmless | bits.prefix | bits.prefixReal | bits.not4 | bits.not6;
  return (taint.bits & bits.host) !== 0 ? bits.hostAllowed | bits.not4 | bits.not6 : 0;
}

/** `list.includes(x)` asks whether x is allowed; `x.includes('..')` asks what is in x. */
export function includes(machine: Machine, subject: Value, other: Value): Value {
  if (subject.taints.length === 0) {
    if (other.taints.length === 0) return unknown;
    const isNot = subject.objects
      .flatMap((object) => object.elements ?? [])
      .reduce<Facts>((facts, element) => addFacts(facts, hostIsNot(machine, other, onlyText(element))), noFacts);
    return ofBoolean({ whenTrue: factsOf(other, member), whenFalse: isNot });
  }
  const text = onlyText(other);
  if (text === undefined) return unknown;
  const excluded: Readonly<Record<string, number>> = {
    '..': bits.noDots | bits.looked,
    '../': bits.looked,
    '/': bits.component | bits.notAbsolute,
    '/..': bits.looked,
  };
  return ofBoolean({ whenTrue: noFacts, whenFalse: factsOf(subject, () => excluded[text] ?? 0) });
}

const localAddress = { v4: /127|192\\?\.168|169\\?\.254|(?:^|[^\d])10\\?\./, v6: /::1|fe80|f\[cd\]|fc|fd/i };

export function matches(machine: Machine, subject: Value, regex: Value): Value {
  const expression = regex.regex;
  if (expression === undefined || subject.taints.length === 0) return unknown;
  const { source, flags } = expression;
  const [fits, misses] = [bitsWhenMatching(source, flags), bitsWhenNotMatching(source, flags)];
  const whenFalse = (taint: Taint) => {
    let granted = isExact(taint) ? misses : 0;
    if (/\\\.\\\./.test(source)) granted |= bits.looked;
    if ((taint.bits & bits.host) !== 0) {
      if (localAddress.v4.test(source)) granted |= bits.not4;
      const isReadable = (machine.effectiveBits(taint) & bits.unbracketed) !== 0 || source.includes('\\[');
      if (localAddress.v6.test(source) && isReadable) granted |= bits.not6;
    }
    return granted;
  };
  const whenTrue = (taint: Taint) =>
    isExact(taint) ? fits : (taint.bits & bits.host) !== 0 && fits !== 0 ? bits.hostAllowed : 0;
  return ofBoolean({ whenTrue: factsOf(subject, whenTrue), whenFalse: factsOf(subject, whenFalse) });
}

/** Found or not, as a number. */
export function position(found: Value): Value {
  return { ...found, role: 'position' };
}

/** Something outside says yes only to what is a number, or an absolute path. */
export function isAbsolute(subject: Value): Value {
  return ofBoolean({
    whenTrue: noFacts,
    whenFalse: factsOf(subject, (taint) => ((taint.bits & bits.relative) !== 0 ? 0 : bits.notAbsolute)),
  });
}

export function isNumber(subject: Value): Value {
  return ofBoolean({ whenTrue: factsOf(subject, (taint) => (isExact(taint) ? harmless : 0)), whenFalse: noFacts });
}
