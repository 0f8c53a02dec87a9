import type { Constant, Expression } from '../ir.ts';
import { bits, harmless } from './bits.ts';
import { addFacts, type Facts, fact, noFacts, toolFact } from './facts.ts';
import type { Machine } from './machine.ts';
import {
  constant,
  extents,
  type Implication,
  implicationOf,
  ofBoolean,
  onlyConstant,
  type Taint,
  truth,
  unknown,
  type Value,
} from './value.ts';

/** What comparisons tell about arguments. */

export function negate(value: Value): Value {
  const known = truth(value);
  const implies = implicationOf(value);
  const swapped: Implication = { whenTrue: implies.whenFalse, whenFalse: implies.whenTrue };
  return known === undefined ? ofBoolean(swapped) : { ...constant(!known), implies: swapped };
}

/** The facts of every taint of a value, each with the bits that `granted` gives it. */
export function factsOf(value: Value, granted: (taint: Taint) => number): Facts {
  return value.taints.reduce<Facts>((facts, taint) => addFacts(facts, fact(taint.label, granted(taint))), noFacts);
}

/** Addresses of the machine itself and of its network, as a guard would write them. */
const localNetworks = {
  not4: /^(?:127(?:\.|$)|10\.|192\.168|169\.254|172\.|0\.0\.0\.0)/,
  not6: /^(?:\[?::1|::$|fe80|fc|fd)/i,
};

/** What it says about a host that it is *not* this. */
function factWhenHostIsNot(machine: Machine, taint: Taint, other: Constant): number {
  if (other === 127) return bits.not4;
  if (typeof other !== 'string') return 0;
  let granted = localNetworks.not4.test(other) ? bits.not4 : 0;
  const isReadable = (machine.effectiveBits(taint) & bits.unbracketed) !== 0 || other.startsWith('[');
  if (localNetworks.not6.test(other) && isReadable) granted |= bits.not6;
  return granted;
}

export function hostIsNot(machine: Machine, value: Value, other: Constant): Facts {
  return factsOf(value, (taint) => ((taint.bits & bits.host) === 0 ? 0 : factWhenHostIsNot(machine, taint, other)));
}

const equalities: Readonly<Record<string, boolean>> = { '===': true, '==': true, '!==': false, '!=': false };

export function compare(machine: Machine, operator: string, left: Value, right: Value, isTypeOf: boolean): Value {
  if (operator === 'in') return ofBoolean({ whenTrue: factsOf(left, whenEqual), whenFalse: noFacts });
  if (left.role === 'position') return comparePosition(operator, left, right);
  const isEqual = equalities[operator];
  if (isEqual === undefined) return unknown;
  const result = equal(machine, left, right, isTypeOf);
  return isEqual ? result : negate(result);
}

/** `indexOf(…) !== -1`, `>= 0` and their opposites. */
function comparePosition(operator: string, position: Value, other: Value): Value {
  const to = onlyConstant(other)?.value;
  const found = { ...position, role: undefined, taints: [], constants: [] };
  if (to === -1)
    return operator === '>' || operator.startsWith('!') ? found : operator.startsWith('=') ? negate(found) : unknown;
  if (to === 0)
    return operator === '>=' ? found : operator === '<' ? negate(found) : operator.startsWith('=') ? found : unknown;
  return unknown;
}

/** Equal to something that the caller did not choose. */
function whenEqual(taint: Taint): number {
  if ((taint.bits & bits.exact) !== 0) return harmless | bits.prefix | bits.prefixReal | bits.not4 | bits.not6;
  if ((taint.bits & bits.host) !== 0) return bits.hostAllowed | bits.not4 | bits.not6;
  return (taint.bits & bits.normalised) !== 0 ? bits.prefix | bits.prefixReal | bits.fixedBase : bits.looked;
}

function equal(machine: Machine, left: Value, right: Value, isTypeOf: boolean): Value {
  const [one, other] = [onlyConstant(left), onlyConstant(right)];
  if (isTypeOf) {
    const isPlain = ['number', 'boolean', 'bigint'].includes(String(other?.value));
    return ofBoolean({
      whenTrue: isPlain ? factsOf(left, (taint) => (taint.bits & bits.exact ? harmless : 0)) : noFacts,
      whenFalse: noFacts,
    });
  }
  if (one !== undefined && other !== undefined) return constant(one.value === other.value);
  if (one !== undefined) return equal(machine, right, left, false);
  if (left.role === 'environment' && other !== undefined && other.value !== undefined && other.value !== null)
    return constant(false);
  if (left.role === 'tool-name' && typeof other?.value === 'string')
    return ofBoolean({ whenTrue: toolFact(other.value), whenFalse: noFacts });
  if (left.role === 'is-ip') return equalFamily(machine, left, other?.value);
  if (left.taints.length > 0 && right.taints.length === 0) {
    // What is not there does nothing.
    const isAbsent = other !== undefined && (other.value === undefined || other.value === null);
    if (isAbsent)
      return ofBoolean({
        whenTrue: factsOf(left, (taint) => (taint.extent === extents.whole ? harmless : 0)),
        whenFalse: noFacts,
      });
    return ofBoolean({ whenTrue: factsOf(left, whenEqual), whenFalse: hostIsNot(machine, left, other?.value) });
  }
  if (right.taints.length > 0 && left.taints.length === 0) return equal(machine, right, left, false);
  return unknown;
}

/** `net.isIP` knows no brackets: `[::1]`, which is what a URL gives, is no address to it. */
function equalFamily(machine: Machine, value: Value, family: Constant): Value {
  const granted = (wanted: number) => (taint: Taint) => {
    const isReadable = (machine.effectiveBits(taint) & bits.unbracketed) !== 0;
    return wanted & (isReadable ? bits.not4 | bits.not6 : bits.not4);
  };
  if (family === 0) return ofBoolean({ whenTrue: factsOf(value, granted(bits.not4 | bits.not6)), whenFalse: noFacts });
  if (family === 4)
    return ofBoolean({ whenTrue: factsOf(value, granted(bits.not6)), whenFalse: factsOf(value, granted(bits.not4)) });
  if (family === 6)
    return ofBoolean({ whenTrue: factsOf(value, granted(bits.not4)), whenFalse: factsOf(value, granted(bits.not6)) });
  return unknown;
}

/** `folders.length === 0`, `!folders.length`, `folders.includes('/')`: nothing is restricted because nobody asked for it. */
export function isOptOut(test: Expression, value: Value): boolean {
  return value.taints.length === 0 && truth(value) === undefined && isOptOutShape(test);
}

function isEmptyList(left: Expression, right: Expression): boolean {
  return (
    left.kind === 'member' &&
    ['length', 'size'].includes(left.property) &&
    right.kind === 'constant' &&
    right.value === 0
  );
}

/** The root of the file system, or a wildcard. */
function isEverything(expression: Expression): boolean {
  if (expression.kind === 'member') return expression.property === 'sep';
  return expression.kind === 'constant' && (expression.value === '/' || expression.value === '*');
}

/** Switches by which an operator gives a guard up. */
const optOutNames =
  /^#?_?(?:allow|permit)_?(?:all|any|unrestricted|unsafe|insecure|private)|unrestricted|^disable|^unsafe|^skip_?(?:valid|check)|^bypass/i;

function isOptOutShape(test: Expression): boolean {
  switch (test.kind) {
    case 'logical':
      return test.operator === '&&'
        ? isOptOutShape(test.left) || isOptOutShape(test.right)
        : isOptOutShape(test.left) && isOptOutShape(test.right);
    case 'member':
      return optOutNames.test(test.property);
    case 'variable':
      return optOutNames.test(test.name);
    case 'unary':
      return (
        test.operator === '!' && test.argument.kind === 'member' && ['length', 'size'].includes(test.argument.property)
      );
    case 'binary':
      return test.operator.startsWith('==') && (isEmptyList(test.left, test.right) || isEverything(test.right));
    case 'call': {
      const [first] = test.args;
      const isMember = test.callee.kind === 'member' && ['includes', 'has'].includes(test.callee.property);
      return isMember && first !== undefined && isEverything(first.value);
    }
    default:
      return false;
  }
}
